/**
 * What the service has, of which each record stands for one of the archive at most: of two that are equal, both are imported, and
 * each once.
 */
export interface Present<Item> {
  /**
   * Takes the record that equals one of the archive; `undefined` if there is none, or no other. `identity` is what identifies it, or
   * whether that is it.
   */
  take(
    outline: string,
    identity: string | ((identity: string) => boolean),
  ): Promise<Item | undefined>;
}

interface Candidate<Item> {
  readonly item: Item;
  identity?: string;
}

/**
 * Creates it of records, whose outline their list has. What identifies them is read only of those whose outline occurs in the
 * archive.
 */
export const createPresent = async <Item>(
  items: AsyncIterable<Item>,
  toOutline: (item: Item) => string,
  readIdentity: (item: Item) => Promise<string>,
): Promise<Present<Item>> => {
  const candidates = new Map<string, Candidate<Item>[]>();
  for await (const item of items) {
    const outline = toOutline(item);
    const alike = candidates.get(outline);
    if (alike) alike.push({ item });
    else candidates.set(outline, [{ item }]);
  }
  return {
    async take(outline, identity) {
      const alike = candidates.get(outline) ?? [];
      const isIt = typeof identity === 'string' ? (one: string) => one === identity : identity;
      for (const [at, candidate] of alike.entries()) {
        candidate.identity ??= await readIdentity(candidate.item);
        if (!isIt(candidate.identity)) continue;
        alike.splice(at, 1);
        return candidate.item;
      }
      return undefined;
    },
  };
};
