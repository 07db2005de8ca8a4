import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What the pages load from our own origin, as it stands in `browser/`: scripts are modules, nothing is built. */
export interface PageAssets {
  /** Hash of all files: a change of one gives all of them new addresses, so that modules import each other by name. */
  readonly version: string;
  readonly files: ReadonlyMap<string, PageAsset>;
}

export interface PageAsset {
  readonly type: string;
  readonly body: string;
}

const folder = new URL('browser/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Reads every script and style once; a process serves what it started with. */
export function readPageAssets(): PageAssets {
  const files = new Map<string, PageAsset>();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted()) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const body = readFileSync(new URL(name, folder), 'utf8');
    files.set(name, { type, body });
    hash.update(`${name}\0${body}\0`);
  }
  return { version: hash.digest('base64url').slice(0, 16), files };
}
