import type { Item, State } from '../service/state.ts';

type Key = Pick<Item, 'pk' | 'sk'>;

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Queries of all stored data. */
export class Stored {
  readonly objects: ReadonlySet<string>;
  readonly items: readonly Item[];
  /** Ids of users with a pending reconciliation. Until then, their data may be inconsistent. */
  readonly unsettled: ReadonlySet<unknown>;
  readonly #byName: ReadonlyMap<string, Item>;
  readonly #byPartition: ReadonlyMap<string, readonly Item[]>;

  constructor({ items, objects, jobs }: State) {
    this.items = items;
    this.objects = new Set(objects);
    this.#byName = new Map(items.map((item) => [nameOf(item), item]));
    this.#byPartition = Map.groupBy(items, ({ pk }) => pk);
    const kept = this.of(/^OUTBOX#/).map(({ message }) => String(message));
    this.unsettled = new Set(
      [...jobs, ...kept]
        .map((body) => JSON.parse(body) as { kind: string; data: { userId?: number } })
        .filter(({ kind }) => kind === 'reconcile-user')
        .map(({ data }) => data.userId),
    );
  }

  /** Returns the item of a key. */
  get(key: Key): Item | undefined {
    return this.#byName.get(nameOf(key));
  }

  /** Returns the items with matching keys. */
  of(partition: RegExp, sort = /^/): Item[] {
    return [...this.#byPartition]
      .filter(([pk]) => partition.test(pk))
      .flatMap(([, items]) => items.filter(({ sk }) => sort.test(sk)));
  }

  /** Returns the items of a partition with matching sort keys. */
  in({ pk }: Pick<Key, 'pk'>, sort: RegExp): Item[] {
    return (this.#byPartition.get(pk) ?? []).filter(({ sk }) => sort.test(sk));
  }

  /** Returns these items as records. */
  records<Fields>(partition: RegExp, sort: RegExp): Fields[] {
    return this.of(partition, sort) as unknown as Fields[];
  }

  /** Returns the records of these items without keys, because index entries that have all of them have keys of their own. */
  listed<Fields>(partition: RegExp, sort: RegExp): Fields[] {
    return this.of(partition, sort).map(
      ({ pk, sk, gsi1pk, gsi1sk, ttl, ...fields }) => fields as Fields,
    );
  }

  /** Returns the sum of an attribute. */
  sum(items: readonly Item[], name: string): number {
    return items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  }

  /** Returns a total that is stored in shards. */
  total(counted: string): number {
    return this.sum(this.of(/^TOTAL#/), counted);
  }
}

/** Returns a violation if two numbers differ. */
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
 * Returns violations for missing, different or unexpected items that derive from records. `given` are the items to
 * check.
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
