import { randomInt } from 'node:crypto';
import { batchGet, tableName } from '../db/dynamodb.ts';
import type { Item } from '../db/item-parser.ts';
import type { AnyKeyFamily, Key, KeyFamily } from '../db/key.ts';
import { queryItems } from '../db/query.ts';
import type { Step, Write } from '../db/transaction.ts';

/*
 * A counter is declared once, with what each record adds to it. The writes of the records, the reads of the sums and the
 * recount follow from the declaration.
 */

/** Numbers that change with the records they count: in one item or, to avoid conflicts, the sum of several shards. */
export interface Counter<Parts = never> {
  /** Has the part `shard` if there are several. */
  readonly family: AnyKeyFamily;
  readonly shards: number;
  /** Returns a unique name for people. */
  describe(parts: Parts): string;
  /** Returns the key of the record that the counter is deleted with. */
  owner?(parts: Parts): Key;
}

/** Declares a counter. */
export const defineCounter = <Pk, Sk>({
  shards = 1,
  ...declared
}: {
  readonly family: KeyFamily<Pk, Sk>;
  readonly shards?: number;
  readonly describe: (parts: Pk & Sk) => string;
  readonly owner?: (parts: Pk & Sk) => Key;
}): Counter<Omit<Pk & Sk, 'shard'>> => ({ shards, ...declared }) as never;

type Amounts = Readonly<Record<string, number>>;

/** What a record adds to a counter. */
export interface Count {
  readonly counter: Counter;
  readonly parts: object;
  readonly add: Amounts;
}

/** Creates a count. */
export const count = <Parts extends object>(
  counter: Counter<Parts>,
  parts: Parts,
  add: Amounts,
): Count => ({ counter: counter as Counter, parts, add });

/**
 * Leaves out the counters that are deleted with a record, if it is removed already, such as a user's: all records of the
 * user would wait for them.
 */
export const withoutCountersOf = (
  removed: Key | undefined,
  counts: readonly Count[],
): readonly Count[] =>
  counts.filter(({ counter, parts }) => {
    const owner = removed && counter.owner?.(parts as never);
    return !owner || owner.pk !== removed.pk || owner.sk !== removed.sk;
  });

/** One kind of record, for the recount: `of` lists what one with these parts of its key adds to which counters. */
export interface Counted {
  readonly record: AnyKeyFamily;
  readonly counters: readonly Counter[];
  of(record: never, key: never): readonly Count[];
}

/** Returns the key of a shard of a counter. */
export const getShard = ({ family }: Counter, parts: object, shard: number): Key =>
  (family.at as (parts: object) => Key)({ ...parts, shard });

/** A multiple of all numbers of shards. */
const maxShards = 16;

/** The shard of each attempt at a transaction, from 1. */
export type ShardPick = (attempt: number) => number;

/**
 * Picks the shards of a transaction's counters: each attempt takes others. They correspond, so that transactions of
 * different shards share no counter.
 */
export const pickShards = (): ShardPick => {
  const first = randomInt(maxShards);
  // Odd steps reach all shards. Transactions that met once hardly ever meet again.
  const step = 2 * randomInt(maxShards / 2) + 1;
  return (attempt) => (first + (attempt - 1) * step) % maxShards;
};

/** A change of a counter. */
export interface CountChange extends Count {
  readonly key: Key;
}

const listChanges = (
  before: readonly Count[],
  after: readonly Count[],
  pick: number,
): CountChange[] => {
  const changes = new Map<string, CountChange>();
  for (const [counts, sign] of [
    [after, 1],
    [before, -1],
  ] as const) {
    for (const { counter, parts, add } of counts) {
      const key = getShard(counter, parts, pick % counter.shards);
      const name = `${key.pk} ${key.sk}`;
      const sum: Record<string, number> = { ...changes.get(name)?.add };
      for (const [attribute, amount] of Object.entries(add)) {
        sum[attribute] = (sum[attribute] ?? 0) + sign * amount;
      }
      changes.set(name, { counter, parts, key, add: sum });
    }
  }
  return [...changes.values()].flatMap((change) => {
    const add = Object.entries(change.add).filter(([, amount]) => amount !== 0);
    return add.length > 0 ? [{ ...change, add: Object.fromEntries(add) }] : [];
  });
};

/** The condition of a change, and what it means if it fails. */
export interface Guard<Outcome extends string = never> {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Returns the counter's item if the condition fails. */
  readonly returnsItem?: true;
  readonly refused?: Outcome | (() => Error);
}

const toWrite = ({ key, add }: CountChange, guard: Guard<string> | undefined): Write => {
  const names = Object.keys(add).toSorted();
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
      ...(guard && { ConditionExpression: guard.condition }),
      ...(guard?.returnsItem && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(names.map((name) => [`:${name}`, add[name]])),
        ...guard?.values,
      },
    },
  };
};

/**
 * Creates the writes that change counters from what a record adds before a change to what it adds after it, for the
 * transaction of that change. `guard` returns the condition of a change, if it has one.
 */
export const countSteps = <Outcome extends string = never>(
  before: readonly Count[],
  after: readonly Count[],
  guard: (change: CountChange) => Guard<Outcome> | undefined = () => undefined,
  pick = pickShards(),
): Step<Outcome>[] =>
  listChanges(before, after, pick(1)).map((change) => {
    const { counter, parts } = change;
    const guarded = guard(change);
    const { refused } = guarded ?? {};
    const rewrite = (attempt: number) => {
      const key = getShard(counter, parts, pick(attempt) % counter.shards);
      return toWrite({ ...change, key }, guarded);
    };
    return {
      write: toWrite(change, guarded),
      ...(counter.shards > 1 && { rewrite }),
      ...(refused && { refused }),
    };
  });

/** Reads the shards of a counter; those that are neighbors in a partition together, which costs as much as one of them. */
const readShards = async (
  keys: readonly Key[],
  { isEventual }: { readonly isEventual?: true },
): Promise<readonly (Item | undefined)[]> => {
  const [first = '', ...others] = keys.map(({ sk }) => sk).toSorted();
  const [pk, ...otherPks] = new Set(keys.map((key) => key.pk));
  const last = others.at(-1);
  if (last === undefined || otherPks.length > 0) {
    return batchGet(keys, isEventual ? { isEventual } : {});
  }
  return queryItems(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
      ConsistentRead: !isEventual,
    },
    keys.length,
    undefined,
  );
};

/** Reads the sums of a counter in one round trip, strongly consistent unless `isEventual`. */
export const readCounter = async <Parts extends object>(
  counter: Counter<Parts>,
  parts: Parts,
  options: { readonly isEventual?: true } = {},
): Promise<Readonly<Record<string, number | undefined>>> => {
  const keys = Array.from({ length: counter.shards }, (_, shard) =>
    getShard(counter as Counter, parts, shard),
  );
  const sums: Record<string, number> = {};
  for (const item of await readShards(keys, options)) {
    for (const [name, amount] of Object.entries(item ?? {})) {
      if (typeof amount === 'number') sums[name] = (sums[name] ?? 0) + amount;
    }
  }
  return sums;
};

/** A number of a record that differs from the items it counts. */
export interface FieldDifference {
  readonly attribute: string;
  /** Where it is in the record. */
  readonly path: readonly string[];
  readonly stored: number;
  readonly actual: number;
}

/** Numbers within a record that count items of the same user's partition. */
export interface OwnCounts {
  /** The counted items and the records with the numbers. */
  readonly reads: readonly AnyKeyFamily[];
  /** Creates a tally of these items of a user. */
  tally(): {
    add(item: Item & Key): void;
    /** Lists the differences of each record by its name. */
    list(): readonly {
      readonly name: string;
      readonly record: Item & Key;
      readonly differences: readonly FieldDifference[];
    }[];
  };
}

/** Returns the difference of a number, if any; absent ones are zero. */
export const compareField = (
  path: readonly string[],
  stored = 0,
  actual = 0,
  attribute = path.join(' '),
): FieldDifference[] => (stored === actual ? [] : [{ attribute, path, stored, actual }]);
