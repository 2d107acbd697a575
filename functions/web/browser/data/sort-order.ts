/** The direction of a column. */
export type Direction = 'ascending' | 'descending';

/** The order of the rows of a table. */
export interface Order {
  readonly by: string;
  readonly direction: Direction;
}

export const reverse = (direction: Direction): Direction =>
  direction === 'ascending' ? 'descending' : 'ascending';

/** The directions of what the API sorts by; `-` before a field reverses it. */
type Natural = Readonly<Record<string, Direction>>;

/** Returns the order that a `sort` of the API stands for. */
export const toOrder = (sort: string, natural: Natural): Order => {
  const by = sort.replace(/^-/, '');
  const direction = natural[by] ?? 'ascending';
  return { by, direction: sort.startsWith('-') ? reverse(direction) : direction };
};

/** Returns the `sort` of the API that gives an order. */
export const toSort = <Sort extends string>(
  { by, direction }: Order,
  natural: Natural,
  sorts: readonly Sort[],
): Sort | undefined => sorts.find((sort) => sort === (natural[by] === direction ? by : `-${by}`));
