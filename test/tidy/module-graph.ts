import { packageOf, type Import, type SourceFile } from './source-file.ts';

/** What a set of entries reaches by following imports. */
export interface Closure {
  /** Files of the project. */
  readonly files: ReadonlySet<string>;
  /** `package ← the file that imports it` for each package and Node module. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Follows the imports from the entries; `isFollowed` may leave some out, as those of types. */
export function closureOf(
  sources: readonly SourceFile[],
  entries: readonly string[],
  isFollowed: (one: Import) => boolean = () => true,
): Closure {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const files = new Set<string>();
  const packages = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    for (const one of byPath.get(path)?.imports.filter(isFollowed) ?? []) {
      if (one.isRelative) waiting.push(one.target);
      else packages.set(packageOf(one.target), path);
    }
  }
  return { files, packages };
}

/** True for an import that exists at run time. */
export function isLoaded(one: Import): boolean {
  return !one.isType;
}
