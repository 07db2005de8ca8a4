import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';

/** One import or re-export statement. */
export interface Import {
  /** As written, or for a relative one the path from the root. */
  readonly target: string;
  readonly isRelative: boolean;
  /** Gone at run time. `import { type A }` is not: it still loads the module. */
  readonly isType: boolean;
}

export interface SourceFile {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const folders = ['api', 'workflows', 'activities', 'domain', 'ops', 'test'];
const rootFiles = ['temporal.config.ts', 'vitest.config.ts'];

/** Every TypeScript file of the project. */
export function readSources(): SourceFile[] {
  return filesOf(folders)
    .filter((path) => path.endsWith('.ts'))
    .concat(rootFiles.filter((path) => existsSync(path)))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** Every file below these folders, whatever its kind, but for what was installed or built there. */
export function filesOf(from: readonly string[]): string[] {
  return from.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesOf([path]);
      return entry.isFile() ? [path] : [];
    }),
  );
}

// The formatter puts every statement at the start of a line, which makes a pattern as good as a parser here.
const statement = /^(?:import|export)\s+(type\s+)?(?:[^'"`;()]*?\sfrom\s+)?'([^']+)'/gm;
const dynamic = /\bimport\('([^']+)'\)/g;

function importsOf(path: string, text: string): Import[] {
  const found = [...text.matchAll(statement)].map((match) => ({
    specifier: match[2] ?? '',
    isType: match[1] !== undefined,
  }));
  const loaded = [...text.matchAll(dynamic)].map((match) => ({ specifier: match[1] ?? '', isType: false }));
  return [...found, ...loaded].map(({ specifier, isType }) => {
    const isRelative = specifier.startsWith('.');
    return { target: isRelative ? posix.join(dirname(path), specifier) : specifier, isRelative, isType };
  });
}

/** The name of the package of an import that is not relative: `@scope/name/lib/x.js` → `@scope/name`. */
export function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

/** The text without comments, for rules about code. Strings that look like comments are not told apart. */
export function codeOf({ text }: SourceFile): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
