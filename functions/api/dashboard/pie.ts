import { readTotal } from '../../../shared/counters/total.ts';
import { getCategoryTotals } from '../sales/statistics.ts';

/** A part of a whole. */
interface Slice {
  readonly name: string;
  readonly value: number;
}

/** What a whole can be divided by. */
export const divisions = ['category', 'content'] as const;

/** The sales in money of each category, of all time, the most first; a category that sold nothing is no part. */
const byCategory = async (): Promise<Slice[]> =>
  (await getCategoryTotals())
    .filter(({ sales }) => sales > 0)
    .map(({ category, sales }) => ({ name: category ?? 'Uncategorized', value: sales }));

const contents = ['documents', 'files', 'shares', 'messages'] as const;

/** How many there are of what users make. */
const byContent = async (): Promise<Slice[]> => {
  const totals = await Promise.all(contents.map(readTotal));
  return contents.map((name, at) => ({ name, value: totals[at] ?? 0 }));
};

/** The parts of a whole, from stored sums (decisions.md#dashboard). */
export const readPie = (by: (typeof divisions)[number]): Promise<Slice[]> =>
  by === 'category' ? byCategory() : byContent();
