/** What every list answers. */
interface Page {
  readonly items: readonly unknown[];
  readonly page: number;
  readonly has_more: boolean;
}

/**
 * Every item of a list, page after page from the first, read when the one before is used up. What is added to or taken from
 * the list meanwhile moves the pages: an item may then come twice, or not at all.
 */
export async function* itemsOf(readPage: (page: number) => Promise<Page>, firstPage: number): AsyncGenerator {
  for (let page = firstPage; ; page += 1) {
    const { items, has_more } = await readPage(page);
    yield* items;
    if (!has_more) return;
  }
}
