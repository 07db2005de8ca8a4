import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The parts of a service that the assertions look at; the specification's schema checks the rest. */
const service = z.looseObject({
  image: z.string(),
  build: z.looseObject({ dockerfile: z.string() }).optional(),
  user: z.string().optional(),
  restart: z.string(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  deploy: z.object({
    resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string(), pids: z.int() }) }),
  }),
});

const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.looseObject({})),
});

export type ComposeService = z.output<typeof service>;

/** The compose file as written, anchors and merges resolved, variables not. */
export function readComposeFile(): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }));
}

/** Its services with the parts that every one of ours must have; throws where one lacks them. */
export function readServices(): {
  services: [string, ComposeService][];
  internalNetworks: string[];
  volumes: string[];
} {
  const { services, networks, volumes } = composeFile.parse(readComposeFile());
  return {
    services: Object.entries(services),
    internalNetworks: Object.keys(networks).filter((name) => networks[name]?.internal === true),
    volumes: Object.keys(volumes),
  };
}

/** A one-shot job ends by itself; compose waits for its success instead of its health. */
export function isOneShot({ restart }: ComposeService): boolean {
  return restart.startsWith('on-failure');
}
