import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/table.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { type Item, listContributions } from './contributions.ts';
import { type Counter, counterAt } from './counters.ts';
import type { CounterMismatch } from './user-counts.ts';
import { createMismatchDetector, recountUsers } from './user-recount.ts';

/*
 * Counts all that is counted anew, and compares. Records change while the table is read, so a difference is one only when
 * the table was read twice with the same result and none of the counter's places had moved from before the first time to
 * after the second; and its correction is written only where they still have not.
 */

/** What a counter tells, by its attributes. */
type Amounts = Readonly<Record<string, bigint>>;

/** A counter that is not what the records add up to. */
export interface Difference {
  readonly name: string;
  /** What is counted, such as `count` or `orders`. */
  readonly attribute: string;
  readonly stored: bigint;
  readonly really: bigint;
}

/** What was found. */
export interface Recount {
  readonly differences: readonly Difference[];
  /** The names of counters that seem to differ and never stood still long enough to tell. */
  readonly restless: readonly string[];
  /** Those of `differences` that were put right. */
  readonly mended: readonly Difference[];
}

interface RecountOptions {
  /** Put differences right? */
  readonly apply?: boolean;
  /** Told after each page of the table: which time the table is read, from 1, and how many items have been. */
  readonly onPage?: (pass: number, items: number) => void;
}

const pageSize = 500;

/** Everything in the table but contents; strongly consistent, page by page. */
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

const plus = (one: Amounts, other: Amounts): Amounts => {
  const sum: Record<string, bigint> = { ...one };
  for (const [name, amount] of Object.entries(other)) sum[name] = (sum[name] ?? 0n) + amount;
  return sum;
};

const isKey = (name: string): boolean => name === 'pk' || name === 'sk';

/** What an item of a counter tells. */
const amountsIn = (item: Item | undefined): Amounts =>
  Object.fromEntries(
    Object.entries(item ?? {})
      .filter(([name]) => !isKey(name))
      .map(([name, value]) => [name, BigInt(value as number)]),
  );

/** A counter with what its places told when they were met, and what the records add up to. */
interface Tally {
  readonly counter: Counter;
  readonly stored: Amounts;
  readonly really: Amounts;
}

/** Every counter that is stored or should be, by its name. The memory that it takes grows with their number. */
const countAll = async (
  onPage: (items: number) => void,
  see: (item: Item) => void = () => undefined,
): Promise<ReadonlyMap<string, Tally>> => {
  const tallies = new Map<string, Tally>();
  const add = (counter: Counter, stored: Amounts, really: Amounts): void => {
    const tally = tallies.get(counter.name) ?? { counter, stored: {}, really: {} };
    tallies.set(counter.name, {
      counter,
      stored: plus(tally.stored, stored),
      really: plus(tally.really, really),
    });
  };
  for await (const item of readTable(onPage)) {
    see(item);
    const own = counterAt(item);
    if (own) add(own, amountsIn(item), {});
    for (const { place, amounts } of listContributions(item)) {
      const counter = counterAt(place);
      if (!counter) throw new Error(`Nothing is known of the counter ${place.pk} ${place.sk}`);
      add(counter, {}, amounts);
    }
  }
  return tallies;
};

const listDifferences = (name: string, stored: Amounts, really: Amounts): Difference[] =>
  Object.keys({ ...stored, ...really })
    .toSorted()
    .map((attribute) => ({
      name,
      attribute,
      stored: stored[attribute] ?? 0n,
      really: really[attribute] ?? 0n,
    }))
    .filter((difference) => difference.stored !== difference.really);

/** The places of a counter at one moment, in their order. */
type Places = readonly (Item | undefined)[];

const readPlaces = async ({ places }: Counter): Promise<Places> =>
  (await batchGet(places)) as Places;

const getText = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));

const areSame = (one: Places, other: Places): boolean =>
  one.every((item, at) => getText(amountsIn(item)) === getText(amountsIn(other[at])));

const getSum = (places: Places): Amounts => places.map(amountsIn).reduce(plus, {});

/** A counter that may be wrong. */
interface Suspect {
  readonly counter: Counter;
  /** As they were after the table was read last. */
  readonly places: Places;
  /** What differed then; `undefined` where the counter moved meanwhile. */
  readonly differences: readonly Difference[] | undefined;
}

/** What a user or a folder has is not counted where that is gone, and being cleared away. */
const hasOwner = async ({ owner }: Counter): Promise<boolean> =>
  owner === undefined || (await batchGet([owner]))[0] !== undefined;

const listSuspects = async (tallies: ReadonlyMap<string, Tally>): Promise<Suspect[]> => {
  const suspects: Suspect[] = [];
  for (const { counter, stored, really } of tallies.values()) {
    if (listDifferences(counter.name, stored, really).length === 0) continue;
    if (!(await hasOwner(counter))) continue;
    suspects.push({ counter, places: await readPlaces(counter), differences: undefined });
  }
  return suspects;
};

const recheck = async ({ counter, places }: Suspect, tally: Tally | undefined) => {
  const now = await readPlaces(counter);
  const isStill = areSame(places, now);
  const differences = isStill
    ? listDifferences(counter.name, getSum(now), tally?.really ?? {})
    : undefined;
  return { counter, places: now, differences };
};

/** The place is still as it was seen. */
const asSeen = (key: Key, item: Item | undefined) => {
  if (!item) return { Key: key, ConditionExpression: 'attribute_not_exists(pk)' };
  const names = Object.keys(item).filter((name) => !isKey(name));
  return {
    Key: key,
    ConditionExpression: [
      'attribute_exists(pk)',
      ...names.map((_, at) => `#${at} = :seen${at}`),
    ].join(' AND '),
    ...(names.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        names.map((name, at) => [`:seen${at}`, item[name]]),
      ),
    }),
  };
};

/** Puts a counter right in one of its places, where all are as they were seen; says whether they were. */
const repair = async ({ counter, places, differences = [] }: Suspect): Promise<boolean> => {
  const mendedAt = Math.max(
    places.findIndex((item) => item !== undefined),
    0,
  );
  const writes = counter.places.map((key, at): Write => {
    const seen = { TableName: tableName(), ...asSeen(key, places[at]) };
    if (at !== mendedAt) return { ConditionCheck: seen };
    return {
      Update: {
        ...seen,
        UpdateExpression: `ADD ${differences.map((_, n) => `#d${n} :d${n}`).join(', ')}`,
        ExpressionAttributeNames: {
          ...('ExpressionAttributeNames' in seen && seen.ExpressionAttributeNames),
          ...Object.fromEntries(differences.map(({ attribute }, n) => [`#d${n}`, attribute])),
        },
        ExpressionAttributeValues: {
          ...('ExpressionAttributeValues' in seen && seen.ExpressionAttributeValues),
          ...Object.fromEntries(
            differences.map(({ stored, really }, n) => [`:d${n}`, really - stored]),
          ),
        },
      },
    };
  });
  const failed = await transact<string>({
    ...Object.fromEntries(writes.map((write, at) => [`place${at}`, write])),
    owner: counter.owner && {
      ConditionCheck: {
        TableName: tableName(),
        Key: counter.owner,
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
  });
  return failed === undefined;
};

const toReport = (miscounts: readonly CounterMismatch[]): Difference[] =>
  miscounts.flatMap(({ differences }) => differences.map(({ path: _, ...one }) => one));

/** So often the table is read before what still moves is given up. */
const maxPasses = 6;

/**
 * Counts every counter anew from the records of the whole table, and with `apply` puts right what differs; safe while the
 * service runs. Reads the table once where nothing differs, else three times, or up to six while counters move; users of
 * whom a record counts wrong are read by themselves.
 */
export const recount = async ({
  apply = false,
  onPage = () => undefined,
}: RecountOptions = {}): Promise<Recount> => {
  const suspicion = createMismatchDetector();
  let suspects = await listSuspects(await countAll((items) => onPage(1, items), suspicion.see));
  const sure: Suspect[] = [];
  for (let pass = 2; pass <= maxPasses && suspects.length > 0; pass++) {
    const tallies = await countAll((items) => onPage(pass, items));
    const next: Suspect[] = [];
    for (const before of suspects) {
      const now = await recheck(before, tallies.get(before.counter.name));
      if (now.differences?.length === 0) continue;
      const isSure = now.differences && getText(now.differences) === getText(before.differences);
      (isSure ? sure : next).push(now);
    }
    suspects = next;
  }
  const mended: Difference[] = [];
  for (const suspect of apply ? sure : []) {
    if (await repair(suspect)) mended.push(...(suspect.differences ?? []));
    else suspects.push(suspect);
  }
  const own = await recountUsers(suspicion.suspects(), apply);
  return {
    differences: [...sure.flatMap(({ differences = [] }) => differences), ...toReport(own.sure)],
    restless: [...suspects.map(({ counter }) => counter.name), ...own.restless].toSorted(),
    mended: [...mended, ...toReport(own.mended)],
  };
};
