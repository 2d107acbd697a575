import { describe, expect, it, vi } from 'vitest';
import { conditionalPut, conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { getObject } from '../../../shared/storage/bucket.ts';
import { accessDenied, conditionFailed, passingErrors } from '../../support/aws/errors.ts';
import { type Sent, useMockedService } from '../../support/aws/mocked-service.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { watch, respond, items } = useMockedService();
const key = { pk: 'A', sk: 'B' };
const writes = [
  [
    'conditionalUpdate',
    () =>
      conditionalUpdate({
        Key: key,
        UpdateExpression: 'ADD n :one',
        ConditionExpression: 'attribute_not_exists(pk)',
        ExpressionAttributeValues: { ':one': 1 },
      }),
  ],
  [
    'conditionalPut',
    () => conditionalPut({ Item: key, ConditionExpression: 'attribute_not_exists(pk)' }),
  ],
] as const;
const errors = [...passingErrors(), ['AccessDenied', accessDenied()] as const];
const fail = (error: Error, times: number) => {
  let left = times;
  return () => (left-- > 0 ? error : undefined);
};

describe.each(writes)('%s', (_, write) => {
  it.each(errors)('throws %s as it is', async (name, error) => {
    const act = watch(
      () => write().catch((thrown) => thrown),
      () => error,
    );
    const { result, sent } = await act;
    // The SDK retries the other transient errors.
    expect([result, sent.length]).toEqual([error, name === 'TransactionConflictException' ? 5 : 1]);
  });

  it('is repeated after a conflict', async () => {
    const conflict = passingErrors().find(([name]) => name === 'TransactionConflictException')?.[1];
    const { result } = await watch(write, fail(conflict as Error, 4));
    expect(result.written).toBe(true);
  });

  it('returns the item that a failed condition met, if there is one', async () => {
    for (const item of [{ ...key, n: 7 }, undefined]) {
      const { result } = await watch(write, () => conditionFailed(item));
      expect(result).toEqual({ written: false, item });
    }
  });
});

describe('batchGet', () => {
  const keys = [key, { pk: 'A', sk: 'C' }];
  /** Leaves all but the first key of a batch unprocessed, so many times. */
  const leave = (times: number) => {
    let left = times;
    respond('BatchGet', ({ RequestItems }: Sent['input']) => {
      const [[table, { Keys }] = expect.unreachable()] = Object.entries<{ Keys: object[] }>(
        RequestItems,
      );
      const some = left-- > 0 ? Keys.slice(0, Keys.length > 1 ? 1 : 0) : Keys;
      const rest = Keys.slice(some.length);
      return {
        Responses: { [table]: some },
        ...(rest.length > 0 && { UnprocessedKeys: { [table]: { Keys: rest } } }),
      };
    });
  };

  it('reads unprocessed keys again', async () => {
    leave(5);
    const { result, sent } = await watch(() => batchGet(keys));
    expect([result, sent.length]).toEqual([keys, 6]);
  });

  it('fails if keys stay unprocessed', async () => {
    leave(99);
    await expect(batchGet(keys)).rejects.toMatchObject({ name: 'UnprocessedKeysError' });
  });

  it.each(errors)('throws %s as it is', async (_, error) => {
    items.write({ Item: key });
    await expect(
      watch(
        () => batchGet(keys),
        () => error,
      ),
    ).rejects.toBe(error);
  });
});

describe('getObject', () => {
  const named = (name: string) => Object.assign(new Error(name), { name, $metadata: {} });

  it('returns undefined for a missing object', async () => {
    const { result } = await watch(
      () => getObject('a'),
      () => named('NoSuchKey'),
    );
    expect(result).toBeUndefined();
  });

  it('is unavailable if S3 refuses to read an object, which may exist', async () => {
    const refused = watch(
      () => getObject('a'),
      () => Object.assign(named('AccessDenied'), { $metadata: { httpStatusCode: 403 } }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each(['SlowDown', 'TimeoutError'])('throws %s as it is', async (name) => {
    const error = named(name);
    await expect(
      watch(
        () => getObject('a'),
        () => error,
      ),
    ).rejects.toBe(error);
  });
});
