import type { Item, State } from '../service/state.ts';

type Key = Pick<Item, 'pk' | 'sk'>;

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** All that is stored, by what it is asked for. */
export class Stored {
  readonly objects: ReadonlySet<string>;
  readonly items: readonly Item[];
  /** The ids of users whom a job is to settle: until then what they own may be out of line with what they are. */
  readonly unsettled: ReadonlySet<unknown>;
  readonly #byName: ReadonlyMap<string, Item>;
  readonly #byPartition: ReadonlyMap<string, readonly Item[]>;

  constructor({ items, objects, jobs }: State) {
    this.items = items;
    this.objects = new Set(objects);
    this.#byName = new Map(items.map((item) => [nameOf(item), item]));
    this.#byPartition = Map.groupBy(items, ({ pk }) => pk);
    const kept = this.of(/^OUTBOX$/).map(({ message }) => String(message));
    this.unsettled = new Set(
      [...jobs, ...kept]
        .map((body) => JSON.parse(body) as { kind: string; data: { userId?: number } })
        .filter(({ kind }) => kind === 'reconcile-user')
        .map(({ data }) => data.userId),
    );
  }

  /** The item of a key. */
  get(key: Key): Item | undefined {
    return this.#byName.get(nameOf(key));
  }

  /** The items whose keys look so. */
  of(partition: RegExp, sort = /^/): Item[] {
    return [...this.#byPartition]
      .filter(([pk]) => partition.test(pk))
      .flatMap(([, items]) => items.filter(({ sk }) => sort.test(sk)));
  }

  /** The items of a partition whose sort keys look so. */
  in({ pk }: Pick<Key, 'pk'>, sort: RegExp): Item[] {
    return (this.#byPartition.get(pk) ?? []).filter(({ sk }) => sort.test(sk));
  }

  /** A record that these items are, without its keys. */
  records<Fields>(partition: RegExp, sort: RegExp): Fields[] {
    return this.of(partition, sort) as unknown as Fields[];
  }

  /** The sum of an attribute. */
  sum(items: readonly Item[], name: string): number {
    return items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  }

  /** A total that is kept in shards. */
  total(counted: string): number {
    return this.sum(this.of(new RegExp(`^TOTAL#${counted}#\\d+$`)), 'count');
  }
}

/** A violation where two numbers differ that are to be one. */
export const differs = (what: string, counted: number, really: number): string[] =>
  counted === really ? [] : [`${what}: ${counted} counted, there are ${really}`];

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

const textOf = (item: object): string => JSON.stringify(sorted(item));

/**
 * Violations where items that follow from records are not there as they should be, or others are there. `given` are the
 * items to look at.
 */
export const compare = (
  what: string,
  expected: readonly object[],
  given: readonly Item[],
): string[] => {
  const found = new Map(given.map((item) => [nameOf(item), item]));
  const violations: string[] = [];
  for (const item of expected as readonly Item[]) {
    const there = found.get(nameOf(item));
    found.delete(nameOf(item));
    if (!there) violations.push(`${what}: ${nameOf(item)} is missing`);
    else if (textOf(there) !== textOf(item)) {
      violations.push(`${what}: ${nameOf(item)} is ${textOf(there)}, not ${textOf(item)}`);
    }
  }
  return [...violations, ...[...found.keys()].map((name) => `${what}: ${name} is of nothing`)];
};
