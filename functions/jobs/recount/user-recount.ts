import { isDeepStrictEqual } from 'node:util';
import { userKeys } from '../../../shared/auth/keys.ts';
import type { OwnCounts } from '../../../shared/counters/counter.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Item as Attributes } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ListKey, startAt } from '../../../shared/db/query.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { processItemsFrom } from '../../../shared/lists/process-items.ts';
import { ownCounts } from './counters.ts';

/*
 * Every change of a counted item also changes the record with the counter. So a difference is confirmed when two reads of
 * the user's partition return it with an unchanged record, and it is repaired only if the record is still unchanged.
 */

/** An item of the table. */
export type Item = Attributes & Key;

type Tally = ReturnType<OwnCounts['tally']>;

/** A record with incorrect counters. */
export type Mismatch = ReturnType<Tally['list']>[number] & { readonly userId: number };

/** Creates a tally of the items of a user's partition. */
const createTally = (userId: number) => {
  const tallies = ownCounts.map(({ reads, tally }) => ({ reads, ...tally() }));
  return {
    add(item: Item): void {
      for (const { reads, add } of tallies)
        if (reads.some((family) => family.read(item))) add(item);
    },
    /** Lists the records with incorrect counters. Missing records have none. */
    listMismatches: (): Mismatch[] =>
      tallies
        .flatMap(({ list }) => list())
        .filter(({ differences }) => differences.length > 0)
        .map((one) => ({ ...one, userId, name: `${one.name} of user ${userId}` })),
  };
};

/**
 * Creates a detector of users with incorrect counters. It checks the items of a scan one partition at a time, because a scan
 * reads each partition in one piece.
 */
export const createMismatchDetector = () => {
  const suspects = new Set<number>();
  let userId: number | undefined;
  let tally: ReturnType<typeof createTally> | undefined;
  const finishPartition = (): void => {
    if (userId !== undefined && tally?.listMismatches().length) suspects.add(userId);
  };
  return {
    add(item: Item): void {
      const user = userKeys.record.read({ pk: item.pk, sk: 'USER' });
      if (!user) return;
      if (user.id !== userId) {
        finishPartition();
        userId = user.id;
        tally = createTally(userId);
      }
      tally?.add(item);
    },
    /** Lists the users whose counters may be incorrect. */
    listSuspects(): readonly number[] {
      finishPartition();
      return [...suspects];
    },
  };
};

const countUser = async (userId: number): Promise<Mismatch[]> => {
  const tally = createTally(userId);
  const families = ownCounts.flatMap(({ reads }) => reads);
  // Several families may have the same prefix.
  const prefixes = new Map(
    families.map((family) => family.prefix({ userId } as never)).map((key) => [key.sk, key]),
  );
  for (const prefix of prefixes.values()) {
    const count = async (items: readonly ListKey[]) => {
      for (const item of items) tally.add(item as Item);
    };
    await processItemsFrom(startAt(prefix), undefined, count, {
      deadline: Infinity,
      atOnce: 1_000,
    });
  }
  return tally.listMismatches();
};

/** How often a user is read while counters keep changing. */
const maxRounds = 6;

/** Returns the confirmed mismatches of a user, and the names of records that kept changing. */
const inspectUser = async (userId: number) => {
  const confirmed: Mismatch[] = [];
  let before = await countUser(userId);
  for (let round = 2; round <= maxRounds && before.length > 0; round++) {
    const now = await countUser(userId);
    const isConfirmed = (one: Mismatch) => before.some((other) => isDeepStrictEqual(one, other));
    confirmed.push(...now.filter(isConfirmed));
    before = now.filter((one) => !isConfirmed(one));
  }
  return { confirmed, unstable: before.map(({ name }) => name) };
};

const getValue = (record: unknown, path: readonly string[]): unknown =>
  path.reduce((value, part) => (value as Item | undefined)?.[part], record);

/** Creates the update that repairs the counters of a record, if it is unchanged. */
const createRepair = ({ record, differences }: Mismatch) => {
  const { pk, sk, ...expected } = record;
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const addName = (part: string): string => {
    const name = `#n${Object.keys(names).length}`;
    names[name] = part;
    return name;
  };
  const toExpression = (path: readonly string[]): string => path.map(addName).join('.');
  const addValue = (value: unknown): string => {
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  // Every change of a record changes one of these: its version, its newest id, its first read mark or the counter.
  const toConditions = (value: object, parents: readonly string[] = []): string[] =>
    Object.entries(value).flatMap(([name, part]) => {
      const path = [...parents, name];
      if (Array.isArray(part)) return [`${toExpression(path)}[0] = ${addValue(part[0])}`];
      if (typeof part !== 'object') return [`${toExpression(path)} = ${addValue(part)}`];
      // Deeper ones are counters, of which only those that change matter.
      return parents.length === 0 ? toConditions(part, path) : [];
    });
  const recordConditions = toConditions(expected);
  const repairs = differences.map(({ path, actual }) => {
    const [field, value] = [toExpression(path), getValue(expected, path)];
    const condition =
      value === undefined ? `attribute_not_exists(${field})` : `${field} = ${addValue(value)}`;
    return { condition, set: `${field} = ${addValue(actual)}` };
  });
  const sets = repairs.map(({ set }) => set);
  // Concurrent writers of the record must read it again.
  if ('version' in expected) sets.push(`version = version + ${addValue(1)}`);
  return {
    Key: { pk, sk },
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: [
      'attribute_exists(pk)',
      ...recordConditions,
      ...repairs.map(({ condition }) => condition),
    ].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
};

/** Expressions can have up to 4 KB. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const maxRepairsPerWrite = 40;

/** Creates the write that fails if an item does not exist. */
export const existsCheck = (key: Key): Write => ({
  ConditionCheck: { TableName: tableName(), Key: key, ConditionExpression: 'attribute_exists(pk)' },
});

const tryRepairPart = async (mismatch: Mismatch): Promise<boolean> => {
  const refused = await transact([
    {
      write: { Update: { TableName: tableName(), ...createRepair(mismatch) } },
      refused: 'changed',
    },
    { write: existsCheck(userKeys.record.at({ id: mismatch.userId })), refused: 'removed' },
  ]);
  return refused === undefined;
};

/** Repairs the counters of a record, if it is unchanged. Returns whether it was. */
const tryRepair = async (mismatch: Mismatch): Promise<boolean> => {
  const { differences } = mismatch;
  for (let from = 0; from < differences.length; from += maxRepairsPerWrite) {
    const some = differences.slice(from, from + maxRepairsPerWrite);
    if (!(await tryRepairPart({ ...mismatch, differences: some }))) return false;
  }
  return true;
};

/**
 * Counts the items of users again and, with `apply`, repairs confirmed differences. Safe while the service runs. Skips
 * removed users, whose data is being deleted.
 */
export const recountUsers = async (userIds: readonly number[], apply: boolean) => {
  const confirmed: Mismatch[] = [];
  const repaired: Mismatch[] = [];
  const unstable: string[] = [];
  for (const userId of userIds) {
    const [user] = await batchGet([userKeys.record.at({ id: userId })]);
    if (!user) continue;
    const found = await inspectUser(userId);
    confirmed.push(...found.confirmed);
    unstable.push(...found.unstable);
    for (const one of apply ? found.confirmed : []) {
      if (await tryRepair(one)) repaired.push(one);
      else unstable.push(one.name);
    }
  }
  return { confirmed, repaired, unstable };
};
