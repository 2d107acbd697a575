/** A page of a list. */
export interface AnyPage {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | null;
}

/** Reads a page with a part of the query. @throws ApiError */
type ReadPage = (query: object) => Promise<AnyPage>;

interface IterationOptions {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The largest page that the service returns. */
const maxPageSize = 100;

/**
 * Reads the pages of a list by their cursors, from `query.cursor` on, and stops after `maxPages`.
 * @throws ApiError; the reason of the signal if it aborts
 */
export async function* iteratePages(
  read: ReadPage,
  { maxPages = 100, signal }: IterationOptions & { readonly maxPages?: number | undefined },
): AsyncGenerator<AnyPage, void, undefined> {
  let next: object = {};
  for (let count = 0; count < maxPages; count++) {
    signal?.throwIfAborted();
    const page = await read(next);
    yield page;
    if (!page.nextCursor) return;
    next = { cursor: page.nextCursor };
  }
}

/**
 * Reads the items of a list by pages of 100, and stops after `maxItems`.
 * @throws ApiError; the reason of the signal if it aborts
 */
export async function* iterateItems(
  read: ReadPage,
  {
    maxItems = 10_000,
    query,
    signal,
  }: IterationOptions & { readonly maxItems?: number | undefined },
): AsyncGenerator<unknown, void, undefined> {
  let left = maxItems;
  if (left <= 0) return;
  const pageSize = query?.['pageSize'] ?? Math.min(maxPageSize, left);
  const readPage: ReadPage = (next) => read({ pageSize, ...next });
  for await (const page of iteratePages(readPage, { maxPages: Number.POSITIVE_INFINITY, signal })) {
    for (const item of page.items) {
      signal?.throwIfAborted();
      yield item;
      if (--left <= 0) return;
    }
  }
}
