import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type Step, transact } from '../../../shared/db/transaction.ts';
import { type FoundCounter, findCounter, listCounts, toFound } from './found-counter.ts';
import {
  createMismatchDetector,
  existsCheck,
  type Item,
  type Mismatch,
  recountUsers,
} from './user-recount.ts';

/*
 * Recomputes all counters and compares them. Records change while the table is read, so a difference is confirmed when two
 * reads of the table return it and no shard of the counter has changed from before the first until after the second. It is
 * repaired only if the shards are still unchanged.
 */

/** The values of a counter by attribute. */
type Amounts = Readonly<Record<string, bigint>>;

/** An attribute of a counter that differs from the sum of the records. */
export interface Difference {
  readonly name: string;
  /** The counted quantity, such as `count` or `orders`. */
  readonly attribute: string;
  readonly stored: bigint;
  readonly actual: bigint;
}

/** The result of a recount. */
export interface Recount {
  readonly differences: readonly Difference[];
  /** The names of counters that seem to differ, but kept changing. */
  readonly unstable: readonly string[];
  /** The repaired ones of `differences`. */
  readonly repaired: readonly Difference[];
}

interface RecountOptions {
  /** Repairs differences. */
  readonly apply?: boolean;
  /** Called after each page with the number of the pass over the table, from 1, and of the items read. */
  readonly onPage?: (pass: number, items: number) => void;
}

const pageSize = 500;

/** Reads the table except contents, page by page and strongly consistent. */
async function* readTable(onPage: (items: number) => void): AsyncGenerator<Item> {
  let from: Record<string, unknown> | undefined;
  let scanned = 0;
  do {
    const response = await documentClient().send(
      new ScanCommand({
        TableName: tableName(),
        ConsistentRead: true,
        Limit: pageSize,
        ExclusiveStartKey: from,
        FilterExpression: 'sk <> :texts',
        ExpressionAttributeValues: { ':texts': 'TEXTS' },
      }),
    );
    yield* (response.Items ?? []) as Item[];
    scanned += response.ScannedCount ?? 0;
    onPage(scanned);
    from = response.LastEvaluatedKey;
  } while (from);
}

const addAmounts = (one: Amounts, other: Amounts): Amounts => {
  const sum: Record<string, bigint> = { ...one };
  for (const [name, amount] of Object.entries(other)) sum[name] = (sum[name] ?? 0n) + amount;
  return sum;
};

const isKey = (name: string): boolean => name === 'pk' || name === 'sk';

/** Returns the values of an item of a counter: its numbers, without what is nested. */
const getAmounts = (item: Item | undefined): Amounts =>
  Object.fromEntries(
    Object.entries(item ?? {})
      .filter(([name, value]) => !isKey(name) && typeof value !== 'object')
      .map(([name, value]) => [name, BigInt(value as number)]),
  );

const toBigInts = (amounts: Readonly<Record<string, number>>): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, BigInt(amount)]));

/** A counter with the stored sum of its shards and the sum of the records. */
interface Tally {
  readonly counter: FoundCounter;
  readonly stored: Amounts;
  readonly actual: Amounts;
}

/** Recomputes every counter, by name. Its memory grows with the number of counters. */
const countAll = async (
  onPage: (items: number) => void,
  onItem: (item: Item) => void = () => undefined,
): Promise<ReadonlyMap<string, Tally>> => {
  const tallies = new Map<string, Tally>();
  const add = (counter: FoundCounter, stored: Amounts, actual: Amounts): void => {
    const tally = tallies.get(counter.name) ?? { counter, stored: {}, actual: {} };
    tallies.set(counter.name, {
      counter,
      stored: addAmounts(tally.stored, stored),
      actual: addAmounts(tally.actual, actual),
    });
  };
  for await (const item of readTable(onPage)) {
    onItem(item);
    const stored = findCounter(item);
    if (stored) add(stored, getAmounts(item), {});
    for (const { counter, parts, add: amounts } of listCounts(item)) {
      add(toFound(counter, parts), {}, toBigInts(amounts));
    }
  }
  return tallies;
};

const listDifferences = (name: string, stored: Amounts, actual: Amounts): Difference[] =>
  Object.keys({ ...stored, ...actual })
    .toSorted()
    .map((attribute) => ({
      name,
      attribute,
      stored: stored[attribute] ?? 0n,
      actual: actual[attribute] ?? 0n,
    }))
    .filter((difference) => difference.stored !== difference.actual);

/** The shards of a counter at one time, in their order. */
type Shards = readonly (Item | undefined)[];

const readShards = async ({ shards }: FoundCounter): Promise<Shards> =>
  (await batchGet(shards)) as Shards;

const serialize = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));

const areEqual = (one: Shards, other: Shards, attribute: string): boolean =>
  one.every((item, at) => getAmounts(item)[attribute] === getAmounts(other[at])[attribute]);

const sumShards = (shards: Shards): Amounts => shards.map(getAmounts).reduce(addAmounts, {});

/** An attribute of a counter that may be incorrect. */
interface Suspect {
  readonly counter: FoundCounter;
  readonly attribute: string;
  /** The shards after the last pass over the table. */
  readonly shards: Shards;
  /** The difference at that time, if any; `undefined` if the attribute changed during the pass. */
  readonly differences: readonly Difference[] | undefined;
}

/** Returns whether the counter's owner exists. The data of a removed owner is being deleted. */
const hasOwner = async ({ owner }: FoundCounter): Promise<boolean> =>
  owner === undefined || (await batchGet([owner]))[0] !== undefined;

const byName = ([one]: readonly [string, Tally], [other]: readonly [string, Tally]): number =>
  one < other ? -1 : 1;

const listSuspects = async (tallies: ReadonlyMap<string, Tally>): Promise<Suspect[]> => {
  const suspects: Suspect[] = [];
  for (const [, { counter, stored, actual }] of [...tallies].toSorted(byName)) {
    const differences = listDifferences(counter.name, stored, actual);
    if (differences.length === 0 || !(await hasOwner(counter))) continue;
    const shards = await readShards(counter);
    for (const { attribute } of differences)
      suspects.push({ counter, attribute, shards, differences: undefined });
  }
  return suspects;
};

const recheck = async ({ counter, attribute, shards }: Suspect, tally: Tally | undefined) => {
  const latest = await readShards(counter);
  const differences = areEqual(shards, latest, attribute)
    ? listDifferences(counter.name, sumShards(latest), tally?.actual ?? {}).filter(
        (one) => one.attribute === attribute,
      )
    : undefined;
  return { counter, attribute, shards: latest, differences };
};

/** Creates the condition that an attribute of a shard is unchanged. */
const unchangedCondition = (key: Key, item: Item | undefined, attribute: string) => {
  const expected = item?.[attribute];
  return {
    Key: key,
    ConditionExpression:
      expected === undefined ? 'attribute_not_exists(#changed)' : '#changed = :expected',
    ExpressionAttributeNames: { '#changed': attribute },
    ...(expected !== undefined && { ExpressionAttributeValues: { ':expected': expected } }),
  };
};

/** Repairs an attribute of a counter in one of its shards, if it is unchanged in all. Returns whether it was. */
const tryRepair = async ({
  counter,
  attribute,
  shards,
  differences = [],
}: Suspect): Promise<boolean> => {
  const repairedAt = Math.max(
    shards.findIndex((item) => item !== undefined),
    0,
  );
  const steps = counter.shards.map((key, at): Step<'changed'> => {
    const condition = { TableName: tableName(), ...unchangedCondition(key, shards[at], attribute) };
    if (at !== repairedAt) return { write: { ConditionCheck: condition }, refused: 'changed' };
    const write = {
      Update: {
        ...condition,
        UpdateExpression: `ADD ${differences.map((_, n) => `#d${n} :d${n}`).join(', ')}`,
        ExpressionAttributeNames: {
          ...condition.ExpressionAttributeNames,
          ...Object.fromEntries(differences.map(({ attribute }, n) => [`#d${n}`, attribute])),
        },
        ExpressionAttributeValues: {
          ...condition.ExpressionAttributeValues,
          ...Object.fromEntries(
            differences.map(({ stored, actual }, n) => [`:d${n}`, actual - stored]),
          ),
        },
      },
    };
    return { write, refused: 'changed' };
  });
  const owner = counter.owner && {
    write: existsCheck(counter.owner),
    refused: 'changed' as const,
  };
  return (await transact([...steps, owner])) === undefined;
};

const toDifferences = (mismatches: readonly Mismatch[]): Difference[] =>
  mismatches.flatMap(({ name, differences }) =>
    differences.map(({ attribute, stored, actual }) => ({
      name,
      attribute,
      stored: BigInt(stored),
      actual: BigInt(actual),
    })),
  );

/** How often the table is read while counters keep changing. */
const maxPasses = 6;

/**
 * Recomputes every counter from the records of the whole table and, with `apply`, repairs those that differ. Safe while the
 * service runs. Reads the table once if nothing differs, else three times, or up to six while counters change. Users with
 * incorrect counters in their records are read separately.
 */
export const recount = async ({
  apply = false,
  onPage = () => undefined,
}: RecountOptions = {}): Promise<Recount> => {
  const detector = createMismatchDetector();
  let suspects = await listSuspects(await countAll((items) => onPage(1, items), detector.add));
  const confirmed: Suspect[] = [];
  for (let pass = 2; pass <= maxPasses && suspects.length > 0; pass++) {
    const tallies = await countAll((items) => onPage(pass, items));
    const next: Suspect[] = [];
    for (const before of suspects) {
      const now = await recheck(before, tallies.get(before.counter.name));
      if (now.differences?.length === 0) continue;
      const isConfirmed =
        now.differences && serialize(now.differences) === serialize(before.differences);
      (isConfirmed ? confirmed : next).push(now);
    }
    suspects = next;
  }
  const repaired: Difference[] = [];
  for (const suspect of apply ? confirmed : []) {
    if (await tryRepair(suspect)) repaired.push(...(suspect.differences ?? []));
    else suspects.push(suspect);
  }
  const users = await recountUsers(detector.listSuspects(), apply);
  return {
    differences: [
      ...confirmed.flatMap(({ differences = [] }) => differences),
      ...toDifferences(users.confirmed),
    ],
    unstable: [
      ...suspects.map(({ counter, attribute }) => `${counter.name}, ${attribute}`),
      ...users.unstable,
    ].toSorted(),
    repaired: [...repaired, ...toDifferences(users.repaired)],
  };
};
