import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransactionConflict, transact, type Write } from '../../../shared/db/transaction.ts';
import {
  accessDenied,
  canceled,
  mockTable,
  passingErrors,
  sent,
} from '../../support/aws/errors.ts';

const { pauses, bounds, dice } = vi.hoisted(() => ({
  /** The pauses asked for, in ms, and what the jitter was drawn below. */
  pauses: [] as number[],
  bounds: [] as number[],
  dice: { draw: (_below: number): number => 0 },
}));

// Waiting moves the clock and takes no time; the jitter is what the test says.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    pauses.push(ms);
    vi.advanceTimersByTime(ms);
  },
}));
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  randomInt: (below: number) => {
    bounds.push(below);
    return dice.draw(below);
  },
}));

const table = mockTable();
const put = (pk: string): Write => ({ Put: { TableName: 'handbill-test', Item: { pk } } });
const writes = { user: put('user'), email: put('email'), name: put('name') };
const steps = [
  { write: writes.user, refused: 'changed' },
  { write: writes.email, refused: 'emailTaken' },
  { write: writes.name, refused: 'nameTaken' },
] as const;
const conflict = canceled('None', 'TransactionConflict', 'None');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  table.reset();
  pauses.length = 0;
  bounds.length = 0;
  dice.draw = () => 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (error) => error,
  );

describe('transact', () => {
  it('sends its writes in order with a unique token', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect(await transact(steps)).toBeUndefined();
    expect(await transact(steps)).toBeUndefined();
    const inputs = sent(table, TransactWriteCommand);
    expect(inputs).toEqual(
      [1, 2].map(() => ({
        TransactItems: [writes.user, writes.email, writes.name],
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
      })),
    );
    expect(inputs[0]?.ClientRequestToken).not.toBe(inputs[1]?.ClientRequestToken);
    expect(pauses).toEqual([]);
  });

  it('takes writes without an outcome', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect(await transact([writes.user, { write: writes.name }])).toBeUndefined();
    expect(sent(table, TransactWriteCommand)[0]?.TransactItems).toEqual([writes.user, writes.name]);
  });

  it('omits undefined steps and writes and still assigns outcomes', async () => {
    table.on(TransactWriteCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    const refused = await transact([
      undefined,
      writes.user,
      { write: undefined, refused: 'emailTaken' },
      { write: writes.name, refused: 'nameTaken' },
    ]);
    expect(refused).toEqual({ by: 'nameTaken', item: undefined });
    expect(sent(table, TransactWriteCommand)[0]?.TransactItems).toEqual([writes.user, writes.name]);
  });
});

describe('a failed condition', () => {
  it('is returned by its outcome, with the item if requested', async () => {
    const error = canceled('None', 'ConditionalCheckFailed', 'None');
    const item = { pk: 'email', userId: 7, tags: ['a'], hash: new Uint8Array([1, 2]) };
    Object.assign(error.CancellationReasons?.[1] ?? {}, { Item: marshall(item) });
    table.on(TransactWriteCommand).rejects(error);
    expect(await transact(steps)).toEqual({ by: 'emailTaken', item });
    expect(pauses).toEqual([]);
  });

  it('loses to that of an earlier step', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('None', 'ConditionalCheckFailed', 'ConditionalCheckFailed'));
    expect(await transact(steps)).toEqual({ by: 'emailTaken', item: undefined });
  });

  it('throws the error of its step', async () => {
    const taken = new Error('taken');
    table.on(TransactWriteCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    const call = transact([writes.user, { write: writes.email, refused: () => taken }]);
    expect(await thrown(call)).toBe(taken);
  });

  it('without an outcome loses to one with an outcome', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', 'ConditionalCheckFailed'));
    const call = transact([writes.user, { write: writes.email, refused: 'emailTaken' }]);
    expect(await call).toEqual({ by: 'emailTaken', item: undefined });
  });

  it('without an outcome throws an error that names no keys', async () => {
    table.on(TransactWriteCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    await expect(transact([writes.user, writes.email])).rejects.toThrow(
      /^Unexpected failed condition of write 2 of 2$/,
    );
  });

  it('is returned even if another write had a conflict', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ThrottlingError', 'ConditionalCheckFailed', 'TransactionConflict'));
    expect(await transact(steps)).toEqual({ by: 'emailTaken', item: undefined });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });
});

describe('a conflict', () => {
  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'of %s is retried with the same token, after a pause',
    async (code) => {
      dice.draw = (below) => below - 1;
      table
        .on(TransactWriteCommand)
        .rejectsOnce(canceled('None', code, 'None'))
        .rejectsOnce(canceled(code, 'None', 'TransactionConflict'))
        .resolves({});
      expect(await transact(steps)).toBeUndefined();
      const [first, ...others] = sent(table, TransactWriteCommand);
      expect(others).toEqual([first, first]);
      expect(pauses).toEqual([39, 79]);
    },
  );

  it('may end in a failed condition', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(conflict)
      .rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await transact(steps)).toEqual({ by: 'changed', item: undefined });
  });

  it('is abandoned after 8 attempts with doubling jitter', async () => {
    table.on(TransactWriteCommand).rejects(conflict);
    const error = await thrown(transact(steps));
    expect(error).toBeInstanceOf(TransactionConflict);
    expect(error).toMatchObject({ cause: conflict });
    expect(sent(table, TransactWriteCommand)).toHaveLength(8);
    expect(pauses).toHaveLength(7);
    expect(bounds.slice(0, 7)).toEqual([40, 80, 160, 320, 640, 1_280, 2_560]);
  });

  it('is abandoned before a pause that would exceed 2 s', async () => {
    dice.draw = (below) => below - 1;
    table.on(TransactWriteCommand).rejects(conflict);
    expect(await thrown(transact(steps))).toBeInstanceOf(TransactionConflict);
    expect(pauses).toEqual([39, 79, 159, 319, 639]);
    expect(sent(table, TransactWriteCommand)).toHaveLength(6);
  });

  it('is abandoned after 2 s of calls', async () => {
    table.on(TransactWriteCommand).callsFake(async () => {
      vi.advanceTimersByTime(700);
      throw conflict;
    });
    expect(await thrown(transact(steps))).toBeInstanceOf(TransactionConflict);
    expect(sent(table, TransactWriteCommand)).toHaveLength(3);
  });
});

describe('any other error', () => {
  it.each([
    ...passingErrors(),
    ['AccessDeniedException', accessDenied()] as const,
    ['a ValidationError within', canceled('None', 'ValidationError', 'None')] as const,
    ['one beside a conflict', canceled('TransactionConflict', 'ValidationError', 'None')] as const,
    ['a collection too large', canceled('ItemCollectionSizeLimitExceeded', 'None')] as const,
  ])('is thrown unchanged and immediately: %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(await thrown(transact(steps))).toBe(error);
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
    expect(pauses).toEqual([]);
  });
});

describe('a step with another write for each attempt', () => {
  const shard = (attempt: number) => put(`shard ${attempt}`);
  const counted = [{ write: shard(1), rewrite: shard }, writes.user] as const;
  /** A cancellation of what the client sent so many times. */
  const sentTimes = (attempts: number) => {
    const error = canceled('TransactionConflict', 'None');
    Object.assign(error.$metadata, { attempts });
    return error;
  };

  it('takes it with a new token after a conflict', async () => {
    table.on(TransactWriteCommand).rejectsOnce(sentTimes(1)).rejectsOnce(sentTimes(1)).resolves({});
    expect(await transact(counted)).toBeUndefined();
    const inputs = sent(table, TransactWriteCommand);
    expect(inputs.map(({ TransactItems }) => TransactItems)).toEqual(
      [1, 2, 3].map((attempt) => [shard(attempt), writes.user]),
    );
    expect(new Set(inputs.map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(3);
  });

  it.each([
    ['each attempt was sent once', [1, 1], true],
    ['one was sent more than once', [2, 1], false],
  ])('is abandoned after the given attempts, finally if %s: %s', async (_, times, isFinal) => {
    const [first = 1, second = 1] = times;
    table.on(TransactWriteCommand).rejectsOnce(sentTimes(first)).rejects(sentTimes(second));
    const error = await thrown(transact(counted, { maxAttempts: 2 }));
    expect(error).toBeInstanceOf(TransactionConflict);
    expect(error).toMatchObject({ isFinal });
    expect(sent(table, TransactWriteCommand)).toHaveLength(2);
  });

  it('repeats the same one as long as an earlier one may arrive', async () => {
    table.on(TransactWriteCommand).rejectsOnce(sentTimes(2)).rejectsOnce(sentTimes(1)).resolves({});
    expect(await transact(counted)).toBeUndefined();
    const [first, ...others] = sent(table, TransactWriteCommand);
    expect(others).toEqual([first, first]);
  });

  it('repeats the same one if the client sent it more than once', async () => {
    table.on(TransactWriteCommand).rejectsOnce(sentTimes(2)).resolves({});
    expect(await transact(counted)).toBeUndefined();
    const [first, second] = sent(table, TransactWriteCommand);
    expect(second).toEqual(first);
  });
});
