import { isDeepStrictEqual } from 'node:util';
import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { Item } from './contributions.ts';
import { type CounterMismatch, createTally, isCountedWithin } from './user-counts.ts';

/*
 * Whatever changes a number within a user's record changes the record. So a difference is one only when the user's
 * partition was read twice with the same result and the record had not moved from the first time to the second; and it is
 * put right only where it still has not.
 */

const getUserId = ({ pk }: Key): number => Number(pk.split('#')[1]);

/**
 * Looks at the items of the table as they are read, and keeps of one partition at a time, which a scan reads in one piece,
 * what it takes to tell whether its numbers are right.
 */
export const createMismatchDetector = () => {
  const suspects = new Set<number>();
  let at: string | undefined;
  let tally: ReturnType<typeof createTally> | undefined;
  const close = (): void => {
    if (at !== undefined && (tally?.miscounts().length ?? 0) > 0)
      suspects.add(getUserId({ pk: at, sk: '' }));
  };
  return {
    see(item: Item): void {
      if (!isCountedWithin(item)) return;
      if (item.pk !== at) {
        close();
        at = item.pk;
        tally = createTally(getUserId(item));
      }
      tally?.add(item);
    },
    /** The users of whom a number may be wrong. */
    suspects(): readonly number[] {
      close();
      return [...suspects];
    },
  };
};

/** The kinds of items that lie next to each other in a user's partition. */
const prefixes = ['CO', 'NOTIFICATION', 'UNREAD#'] as const;

const countUser = async (userId: number): Promise<CounterMismatch[]> => {
  const tally = createTally(userId);
  for (const prefix of prefixes) {
    let from: Record<string, unknown> | undefined;
    do {
      const response: QueryCommandOutput = await documentClient().send(
        new QueryCommand({
          TableName: tableName(),
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': keys.user(userId).pk, ':prefix': prefix },
          ConsistentRead: true,
          ExclusiveStartKey: from,
        }),
      );
      for (const item of (response.Items ?? []) as Item[]) {
        if (isCountedWithin(item)) tally.add(item);
      }
      from = response.LastEvaluatedKey;
    } while (from);
  }
  return tally.miscounts();
};

/** So often a user is looked at before what still moves is given up. */
const maxRounds = 6;

/** The numbers of a user that are wrong for sure, and the names of records that never stood still. */
const inspectUser = async (userId: number) => {
  const sure: CounterMismatch[] = [];
  let before = await countUser(userId);
  for (let round = 2; round <= maxRounds && before.length > 0; round++) {
    const now = await countUser(userId);
    const isSure = (one: CounterMismatch) => before.some((other) => isDeepStrictEqual(one, other));
    sure.push(...now.filter(isSure));
    before = now.filter((one) => !isSure(one));
  }
  return { sure, restless: before.map(({ name }) => name) };
};

const at = (record: unknown, path: readonly string[]): unknown =>
  path.reduce((value, part) => (value as Item | undefined)?.[part], record);

/** The update that puts the numbers of a record right where it is as it was seen. */
const correction = ({ record, differences }: CounterMismatch) => {
  const { pk, sk, ...seen } = record;
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const named = (part: string): string => {
    const name = `#n${Object.keys(names).length}`;
    names[name] = part;
    return name;
  };
  const placeOf = (path: readonly string[]): string => path.map(named).join('.');
  const valued = (value: unknown): string => {
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  // Each change moves one of these: the version, the newest id, the first of the marks, or the very number.
  const whole = Object.entries(seen).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`${named(name)}[0] = ${valued(value[0])}`];
    return typeof value === 'object' ? [] : [`${named(name)} = ${valued(value)}`];
  });
  const places = differences.map(({ path, really }) => {
    const [place, value] = [placeOf(path), at(seen, path)];
    const isUnchanged =
      value === undefined ? `attribute_not_exists(${place})` : `${place} = ${valued(value)}`;
    return { asSeen: isUnchanged, set: `${place} = ${valued(really)}` };
  });
  const sets = places.map(({ set }) => set);
  // Whoever has read the record, and is about to write it, must look again.
  if ('version' in seen) sets.push(`version = version + ${valued(1)}`);
  return {
    Key: { pk, sk },
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: [
      'attribute_exists(pk)',
      ...whole,
      ...places.map(({ asSeen: isUnchanged }) => isUnchanged),
    ].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
};

/** Expressions have 4 KB at most. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const mendedAtOnce = 40;

const repairSome = async (miscount: CounterMismatch): Promise<boolean> => {
  const failed = await transact({
    record: { Update: { TableName: tableName(), ...correction(miscount) } },
    owner: {
      ConditionCheck: {
        TableName: tableName(),
        Key: keys.user(miscount.userId),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
  });
  return failed === undefined;
};

/** Puts the numbers of a record right where it is as it was seen, and says whether it was. */
const repair = async (miscount: CounterMismatch): Promise<boolean> => {
  const { differences } = miscount;
  for (let from = 0; from < differences.length; from += mendedAtOnce) {
    const some = differences.slice(from, from + mendedAtOnce);
    if (!(await repairSome({ ...miscount, differences: some }))) return false;
  }
  return true;
};

/**
 * Looks at users anew, one after another, and with `apply` puts right what is wrong of them for sure; safe while the service
 * runs. Those who are gone are being cleared away.
 */
export const recountUsers = async (userIds: readonly number[], apply: boolean) => {
  const sure: CounterMismatch[] = [];
  const mended: CounterMismatch[] = [];
  const restless: string[] = [];
  for (const userId of userIds) {
    const [user] = await batchGet([keys.user(userId)]);
    if (!user) continue;
    const found = await inspectUser(userId);
    sure.push(...found.sure);
    restless.push(...found.restless);
    for (const one of apply ? found.sure : []) {
      if (await repair(one)) mended.push(one);
      else restless.push(one.name);
    }
  }
  return { sure, mended, restless };
};
