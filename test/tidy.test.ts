import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { entries, testEntries } from './tidy/entry.ts';
import { closureOf, isLoaded } from './tidy/module-graph.ts';
import { nounsOf, pluralOf, wordsOf } from './tidy/name.ts';
import { codeOf, filesOf, packageOf, readSources, type Import, type SourceFile } from './tidy/source-file.ts';

const sources = readSources();
const everyFile = filesOf(['api', 'workflows', 'activities', 'domain', 'ops', 'test']);
const isTest = ({ path }: SourceFile) => path.startsWith('test/');
const isMigration = ({ path }: Pick<SourceFile, 'path'>) => path.startsWith('domain/store/migrations/');
const isStore = ({ path }: SourceFile) => path.startsWith('domain/store/');
const below = (...folders: string[]) => sources.filter(({ path }) => folders.some((one) => path.startsWith(`${one}/`)));
const domain = below('domain');
const pureDomain = domain.filter((file) => !isStore(file));

/** Which files import what they must not, as `file → target`. */
function crossing(files: readonly SourceFile[], isForbidden: (one: Import) => boolean): string[] {
  return files.flatMap(({ path, imports }) => imports.filter(isForbidden).map(({ target }) => `${path} → ${target}`));
}

/** Which lines of code match, as `file:line text`. */
function matching(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    // Comments are blanked line by line, so that the numbers stay right.
    file.text.split('\n').flatMap((line, index) => {
      const code = line.replace(/^\s*(\*|\/\*|\/\/).*$/, '').replace(/\s\/\/ .*$/, '');
      return pattern.test(code) ? [`${file.path}:${index + 1} ${line.trim()}`] : [];
    }),
  );
}

const isIn = (folder: string) => (one: Import) => one.isRelative && one.target.startsWith(`${folder}/`);
const isPackage = (pattern: RegExp) => (one: Import) => !one.isRelative && pattern.test(packageOf(one.target));

describe('borders', () => {
  it('domain knows nothing of what surrounds it', () => {
    const outside = (one: Import) =>
      ['api', 'workflows', 'activities', 'ops', 'test'].some((folder) => isIn(folder)(one));
    expect(crossing(domain, outside)).toEqual([]);
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
    const forbidden = (one: Import) =>
      isIn('domain/store')(one) ||
      isIn('api')(one) ||
      isIn('ops')(one) ||
      (isIn('activities')(one) && !one.isType) ||
      (!one.isRelative && isBuiltin(one.target));
    expect(crossing(below('workflows'), forbidden)).toEqual([]);
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
    const forbidden = (one: Import) =>
      !one.isType && (isIn('activities')(one) || (isIn('workflows')(one) && one.target !== 'workflows/messages.ts'));
    expect(crossing(below('api'), forbidden)).toEqual([]);
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
    const long = sources.filter(
      (file) => !isMigration(file) && file.text.split('\n').length - 1 > (isTest(file) ? 500 : 300),
    );
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length - 1}`)).toEqual([]);
  });

  it('functions have at most 70 lines, but for tables of routes', () => {
    const logic = sources.filter(({ path }) => !path.endsWith('.routes.ts') && !isMigration({ path }));
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
    const passesOn = (file: SourceFile) => {
      const code = codeOf(file);
      const rest = code
        .replaceAll(/^import\s[^;]*;/gm, '')
        .replaceAll(/^export\s+(type\s+)?(\*|\{[^}]*\})[^;]*;/gm, '');
      return /^export\s/m.test(code) && rest.trim() === '';
    };
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
    const later = new RegExp(String.raw`\b(${['TO' + 'DO', 'FIX' + 'ME', 'HA' + 'CK', 'X' + 'XX'].join('|')})\b`);
    const files = [...everyFile, ...filesOf(['docs']), 'docker-compose.yml', 'Dockerfile'];
    expect(files.filter((path) => !path.includes('/histories/') && later.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe('tests', () => {
  it('no test is left out, and none stands alone', () => {
    expect(matching(sources.filter(isTest), /\b(it|test|describe)\.(only|skip|todo|fails)\b/)).toEqual([]);
  });

  it('no test waits for time to pass, unless a comment says why', () => {
    const unexplained = sources.filter(isTest).flatMap(({ path, text }) => {
      const lines = text.split('\n');
      return lines.flatMap((line, index) =>
        /\b(sleep|delay|setTimeout)\(/.test(line) && !/\/\/|\*\//.test(`${lines[index - 1] ?? ''}${line}`)
          ? [`${path}:${index + 1} ${line.trim()}`]
          : [],
      );
    });
    expect(unexplained).toEqual([]);
  });
});

describe('bundle', () => {
  it('the code that Temporal replays contains neither ORM nor driver nor HTTP', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
      logger: { log: () => {}, trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
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
