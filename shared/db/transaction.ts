import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getBackoffMs } from '../runtime/backoff.ts';
import { documentClient, tableName } from './dynamodb.ts';
import type { Key } from './table.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Creates the write of an item that must not exist yet. */
export const createItemWrite = (key: Key, item: object): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...item, ...key },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Creates the write that deletes an item, whether it exists or not. */
export const deleteItemWrite = ({ pk, sk }: Key): Write => ({
  Delete: { TableName: tableName(), Key: { pk, sk } },
});

/** The writes with a failed condition, each with the existing item. */
export type FailedConditions<Name extends string> = Partial<
  Record<Name, { readonly item: Record<string, unknown> | undefined }>
>;

/** A conflict with other transactions on the same items that outlasted all retries. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}

/** The write named `repeat` failed: another request with the same Idempotency-Key has created its record. */
export class DuplicateRequest extends Error {
  override readonly name = 'DuplicateRequest';
}

const maxTries = 8;
const maxTotalMs = 2_000;

/**
 * Writes all of the named items or none, exactly once even after lost responses. Returns `undefined` when written,
 * otherwise the writes with a failed condition. Retries conflicts and throttling with full jitter, at most 8 times
 * within 2 s.
 * @throws TransactionConflict after the last retry; DuplicateRequest
 */
export const transact = async <Name extends string>(
  writes: { readonly [N in Name]?: Write | undefined },
): Promise<FailedConditions<Name> | undefined> => {
  const present = (Object.entries(writes) as [Name, Write | undefined][]).filter(([, w]) => w);
  const names = present.map(([name]) => name);
  const command = new TransactWriteCommand({
    TransactItems: present.map(([, write]) => write as Write),
    ClientRequestToken: randomUUID(),
  });
  const started = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      await documentClient().send(command);
      return undefined;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed: FailedConditions<Name> = {};
      for (const [at, { Code, Item }] of reasons.entries()) {
        const name = names[at];
        if (Code !== 'ConditionalCheckFailed' || name === undefined) continue;
        failed[name] = { item: Item && unmarshall(Item) };
      }
      if ('repeat' in failed) throw new DuplicateRequest('The record was made already');
      if (Object.keys(failed).length > 0) return failed;
      if (!reasons.every(({ Code }) => Code === 'None' || isTransient(Code))) throw error;
      const pause = getBackoffMs(attempt);
      if (attempt === maxTries || performance.now() - started + pause > maxTotalMs) {
        throw new TransactionConflict('Other writes kept getting in between', { cause: error });
      }
      await wait(pause);
    }
  }
};

/**
 * Returns whether a cancellation reason may not recur.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const isTransient = (code: string | undefined): boolean =>
  code === 'TransactionConflict' ||
  code === 'ThrottlingError' ||
  code === 'ProvisionedThroughputExceeded';
