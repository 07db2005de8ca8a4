import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleWorkflowCode } from '@temporalio/worker';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { workflowsPath } from '../activities/worker-factory.ts';
import { migrate } from '../domain/store/migrate.ts';
import { startStack, type Stack } from '../ops/stack/stack.ts';

/** What every test file finds running. */
export interface TestStack {
  /** Any database of the server, to make others from. */
  readonly adminDatabaseUrl: string;
  /** A migrated database that nobody connects to, so that it can be cloned. */
  readonly templateDatabase: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly workflowBundlePath: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly stack: TestStack;
  }
}

const temporalNamespace = 'marketplace-test';
const templateDatabase = 'marketplace_test_template';
const teardownLimitMs = 25_000;

/** Starts PostgreSQL and Temporal once a run, unless TEST_DATABASE_URL and TEST_TEMPORAL_ADDRESS name running ones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-test-'));
  const workflowBundlePath = join(dataDir, 'workflows.js');
  const { TEST_DATABASE_URL: databaseUrl, TEST_TEMPORAL_ADDRESS: temporalAddress } = process.env;
  const lines: string[] = [];
  const stack = await startStack({
    dataDir: join(dataDir, 'stack'),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(temporalAddress === undefined ? {} : { temporalAddress }),
    temporalNamespace,
    ports: { postgres: 0, temporal: 0, temporalUi: null },
    durable: false,
    // A server that has to be built first takes minutes, which shall not pass in silence.
    log: (line) => {
      lines.push(line);
      console.log(line);
    },
  }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw new Error(`the stack for the tests did not start:\n${lines.join('\n')}`, { cause: error });
  });
  const tearDown = () => stop(stack, dataDir);
  try {
    await Promise.all([makeTemplate(stack.databaseUrl), bundleTo(workflowBundlePath)]);
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('stack', {
    adminDatabaseUrl: stack.databaseUrl,
    templateDatabase,
    temporalAddress: stack.temporalAddress,
    temporalNamespace,
    workflowBundlePath,
  });
  return tearDown;
}

async function makeTemplate(adminDatabaseUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminDatabaseUrl });
  await admin.connect();
  try {
    await admin.query(`drop database if exists ${templateDatabase} with (force)`);
    await admin.query(`create database ${templateDatabase}`);
  } finally {
    await admin.end();
  }
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${templateDatabase}`;
  await migrate(url.href);
}

const silent = () => undefined;

async function bundleTo(path: string): Promise<void> {
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath, logger });
  await writeFile(path, code);
}

/** A server that does not end must not hold up the run; its process dies with this one. */
async function stop(stack: Stack, dataDir: string): Promise<void> {
  // A limit, not a wait: it ends with the race.
  const late = delay(teardownLimitMs, 'late', { ref: false });
  const outcome = await Promise.race([stack.stop(), late]);
  if (outcome === 'late') console.warn(`the stack for the tests did not stop within ${teardownLimitMs} ms`);
  await rm(dataDir, { recursive: true, force: true });
}
