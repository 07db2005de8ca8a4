/** The nouns of the business, as folders and entities name them. */
export function nounsOf(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => /^domain\/([a-z-]+)\//.exec(path)?.[1] ?? []);
  const entities = paths.flatMap((path) => /([a-z-]+)\.entity\.ts$/.exec(path)?.[1] ?? []);
  return [...new Set([...folders.filter((folder) => folder !== 'store'), ...entities])];
}

/** The plural as English makes it of the nouns that occur here. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** What a path is made of: each folder, and each part of the file's name between dots. */
export function wordsOf(path: string): string[] {
  return path.split(/[/.]/);
}
