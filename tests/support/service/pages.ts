import { expect } from 'vitest';
import type { Answer } from './call.ts';

type Query = Readonly<Record<string, string>>;

/** Reads a list from its first page to its last, by cursor or by number. Returns the data of each page. */
export const readPages = async (
  read: (query: Query) => Promise<Answer>,
  by: 'page' | 'cursor' = 'cursor',
): Promise<Answer['body'][]> => {
  const pages: Answer['body'][] = [];
  for (let next: Query = {}; ; ) {
    const { status, body } = await read(next);
    expect(status, JSON.stringify(body)).toBe(200);
    const data = body.data ?? body;
    pages.push(data);
    if (data.nextCursor === null) return pages;
    next = by === 'page' ? { page: String(pages.length + 1) } : { cursor: data.nextCursor };
  }
};

/** Reads a list like `readPages`. Returns the ids of its items, in order. */
export const readIds = async <Id = number>(...how: Parameters<typeof readPages>): Promise<Id[]> =>
  (await readPages(...how)).flatMap(({ items }) => items.map(({ id }: { id: Id }) => id));
