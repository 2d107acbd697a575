import { readTotals } from '../../../shared/counters/total.ts';
import { getCategoryTotals } from '../sales/statistics.ts';

/** A part of the pie chart. */
interface Slice {
  readonly name: string;
  readonly value: number;
}

/** What the pie chart can be divided by. */
export const divisions = ['category', 'content'] as const;

/** Returns the revenue of all time by category, highest first, without categories that sold nothing. */
const getSalesByCategory = async (): Promise<Slice[]> =>
  (await getCategoryTotals())
    .filter(({ sales }) => sales > 0)
    .map(({ category, sales }) => ({ name: category ?? 'Uncategorized', value: sales }));

const contents = ['documents', 'files', 'shares', 'messages'] as const;

/** Returns the number of records that users created, by kind. */
const countContent = async (): Promise<Slice[]> => {
  const totals = await readTotals(contents, { isEventual: true });
  return contents.map((name) => ({ name, value: totals[name] }));
};

/** Reads the parts of the pie chart from stored totals (decisions.md#dashboard). */
export const readPie = (by: (typeof divisions)[number]): Promise<Slice[]> =>
  by === 'category' ? getSalesByCategory() : countContent();
