import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { entries, testEntries } from './tidy/entry.ts';
import { closureOf, isLoaded } from './tidy/module-graph.ts';
import { nounsOf, pluralOf, wordsOf } from './tidy/name.ts';
import {
  crossing,
  isAround,
  isIn,
  isOtherSideOfApi,
  isOtherSideOfWorkflow,
  isPackage,
  matching,
  passesOn,
} from './tidy/rule.ts';
import { filesOf, readSources, type SourceFile } from './tidy/source-file.ts';

const sources = readSources();
const everyFile = filesOf(['api', 'workflows', 'activities', 'domain', 'ops', 'test']);
const isTest = ({ path }: SourceFile) => path.startsWith('test/');
const isMigration = ({ path }: SourceFile) => path.startsWith('domain/store/migrations/');
const isStore = ({ path }: SourceFile) => path.startsWith('domain/store/');
const below = (...folders: string[]) => sources.filter(({ path }) => folders.some((one) => path.startsWith(`${one}/`)));
const domain = below('domain');
const pureDomain = domain.filter((file) => !isStore(file));

describe('borders', () => {
  it('domain knows nothing of what surrounds it', () => {
    expect(crossing(domain, isAround)).toEqual([]);
  });

  it('domain outside domain/store knows no database, no HTTP and no Temporal', () => {
    expect(crossing(pureDomain, isPackage(/^(@mikro-orm\/|pg$|kysely$|fastify|@fastify\/|@temporalio\/)/))).toEqual([]);
    expect(crossing(pureDomain, isIn('domain/store'))).toEqual([]);
  });

  it('domain outside domain/store has no clock, no randomness and no environment', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|\bprocess\b|\brandom(UUID|Bytes|Int|Fill)\b|getRandomValues/;
    expect(matching(pureDomain, impure)).toEqual([]);
    // Of `uuid` only what derives an id from others.
    expect(matching(pureDomain, /\bv[147]\b.*from 'uuid'/)).toEqual([]);
  });

  it('SQL and entities stay in domain/store', () => {
    const outside = sources.filter((file) => !isStore(file) && !isTest(file) && !file.path.startsWith('ops/'));
    expect(matching(outside, /\.execute\((?!'select 1')|\bdefineEntity\(|`\s*(select|insert|update|delete) /)).toEqual(
      [],
    );
  });

  it('workflows reach no database, no API, no Node module, and activities only as types', () => {
    expect(crossing(below('workflows'), isOtherSideOfWorkflow)).toEqual([]);
  });

  it('what workflows load is deterministic to its last import', () => {
    const { files, packages } = closureOf(sources, ['workflows/index.ts'], isLoaded);
    const foreign = [...files].filter((path) => /^(api|activities|ops|test|domain\/store)\//.test(path));
    expect(foreign).toEqual([]);
    const allowed = /^(@temporalio\/(workflow|common)|zod|uuid)$/;
    const impure = [...packages].filter(([name]) => !allowed.test(name));
    expect(impure.map(([name, by]) => `${by} → ${name}`)).toEqual([]);
  });

  it('api knows the messages of workflows and nothing else of them, and activities only as types', () => {
    expect(crossing(below('api'), isOtherSideOfApi)).toEqual([]);
  });

  it('activities know nothing of the API', () => {
    expect(crossing(below('activities'), (one) => isIn('api')(one) && !one.isType)).toEqual([]);
  });

  it('only entries, operations and tests read the environment', () => {
    const others = sources.filter(
      (file) => !isTest(file) && !/^(api\/main|activities\/worker|vitest\.config)\.ts$|^ops\//.test(file.path),
    );
    expect(matching(others, /\bprocess\.env\b/)).toEqual([]);
  });

  it('the client is a package of its own: it knows nothing of the service, and the service nothing of it', () => {
    const client = below('api/client');
    expect(crossing(client, (one) => one.isRelative && !isIn('api/client')(one))).toEqual([]);
    const shipped = client.filter(({ path }) => !path.startsWith('api/client/generate/'));
    expect(crossing(shipped, isPackage(/^(?!openapi-fetch$)/))).toEqual([]);
    const program = sources.filter((file) => !isTest(file) && !/^(ops|api\/client)\//.test(file.path));
    expect(crossing(program, isIn('api/client'))).toEqual([]);
  });

  it('no program code imports from test/', () => {
    expect(
      crossing(
        sources.filter((file) => !isTest(file)),
        isIn('test'),
      ),
    ).toEqual([]);
  });
});

describe('shape', () => {
  it('files have at most 300 lines, tests 500', () => {
    // Nobody reads or writes what is generated; test/client/schema.test.ts compares it with what it is made from.
    const written = sources.filter((file) => !isMigration(file) && !file.path.startsWith('api/client/generated/'));
    const long = written.filter((file) => file.text.split('\n').length - 1 > (isTest(file) ? 500 : 300));
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length - 1}`)).toEqual([]);
  });

  it('functions have at most 70 lines, but for tables of routes and workflows, whose handlers share one state', () => {
    const logic = sources.filter(
      (file) => !/\.(routes|workflow)\.ts$/.test(file.path) && !isMigration(file) && !isTest(file),
    );
    const long = logic.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^\}/gm)]
        .filter(([code]) => code.split('\n').length > 70)
        .map(([code, name]) => `${path} ${name}: ${code.split('\n').length}`),
    );
    expect(long).toEqual([]);
  });

  it('no file is a drawer for odds and ends', () => {
    const vague = /(^|[/.-])(utils?|helpers?|managers?|misc|common)([/.-]|$)/i;
    expect(everyFile.filter((path) => vague.test(path))).toEqual([]);
  });

  it('no file only passes on the exports of others', () => {
    // Temporal's bundler needs one file that names every workflow.
    const candidates = sources.filter(({ path }) => path !== 'workflows/index.ts');
    expect(candidates.filter(passesOn).map(({ path }) => path)).toEqual([]);
  });

  it('every listed entry exists', () => {
    expect([...entries, ...testEntries].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('every file is in use: reached from an entry or from a test', () => {
    const tests = sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
    const { files } = closureOf(sources, [...entries, ...testEntries, ...tests]);
    expect(sources.map(({ path }) => path).filter((path) => !files.has(path))).toEqual([]);
  });

  it('every relative import names a file that exists, with its ending', () => {
    expect(crossing(sources, (one) => one.isRelative && !existsSync(one.target))).toEqual([]);
  });

  it('nouns are singular, so that one word finds a whole slice', () => {
    const nouns = nounsOf(sources.map(({ path }) => path));
    expect(nouns).toContain('transaction');
    const plurals = new Set(nouns.map(pluralOf));
    expect(everyFile.filter((path) => wordsOf(path).some((word) => plurals.has(word)))).toEqual([]);
  });

  it('every migration is listed in domain/store/orm.ts, in the order of the names', () => {
    const listed = readFileSync('domain/store/orm.ts', 'utf8').matchAll(/name: '(\d+-[a-z-]+)'/g);
    const files = sources.filter(isMigration).map(({ path }) => /([^/]+)\.ts$/.exec(path)?.[1] ?? path);
    expect([...listed].map((match) => match[1])).toEqual(
      files.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    );
  });

  it('every entity is listed in domain/store/entities.ts', () => {
    const listed =
      sources.find(({ path }) => path === 'domain/store/entities.ts')?.imports.map(({ target }) => target) ?? [];
    const files = domain.map(({ path }) => path).filter((path) => path.endsWith('.entity.ts'));
    expect(files.filter((path) => !listed.includes(path))).toEqual([]);
  });
});

describe('words', () => {
  it('exported functions of the domain say what they guarantee', () => {
    const silent = domain.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<=^|\n)([^\n]*)\nexport (?:async )?function (\w+)/g)]
        .filter(([, before = '']) => !before.endsWith('*/'))
        .map(([, , name]) => `${path} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('nothing is left for later', () => {
    // Spelled so that this file does not find itself.
    const later = /\b(T[O]DO|F[I]XME|H[A]CK|X[X]X)\b/;
    // Bytes of a picture can spell anything.
    const documents = filesOf(['docs']).filter((path) => !path.endsWith('.png'));
    const files = [...everyFile, ...documents, 'docker-compose.yml', 'Dockerfile'];
    expect(files.filter((path) => !path.includes('/histories/') && later.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe('tests', () => {
  it('no test is left out, and none stands alone', () => {
    expect(matching(sources.filter(isTest), /\b(it|test|describe)\.(only|skip|todo|fails)\b/)).toEqual([]);
  });

  it('no test waits for time to pass, unless a comment within three lines says why', () => {
    const unexplained = sources.filter(isTest).flatMap(({ path, text }) => {
      const lines = text.split('\n');
      return lines.flatMap((line, index) => {
        const isWait = /\b(sleep|delay|setTimeout)\(/.test(line);
        const isExplained = /\/\/|\*\//.test(lines.slice(Math.max(index - 3, 0), index + 1).join('\n'));
        return isWait && !isExplained ? [`${path}:${index + 1} ${line.trim()}`] : [];
      });
    });
    expect(unexplained).toEqual([]);
  });
});

describe('bundle', () => {
  it('the code that Temporal replays contains neither ORM nor driver nor HTTP', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    });
    const packages = new Set([...code.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g)].map((match) => match[1]));
    // Shows that packages can be told from the bundle at all.
    expect(packages).toContain('@temporalio/workflow');
    expect(
      [...packages].filter((name) => /^(@mikro-orm\/|pg$|pg-|kysely$|fastify|@fastify\/)/.test(name ?? '')),
    ).toEqual([]);
    expect(code).not.toContain('domain/store/');
  }, 60_000);
});
