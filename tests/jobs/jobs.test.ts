import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { handler } from '../../functions/jobs/index.ts';
import { visibilitySeconds } from '../../infra/local/jobs/queues.ts';
import { lambdaContext } from '../../infra/local/lambda-context.ts';
import { documentClient, tableName } from '../../shared/db/dynamodb.ts';
import { createWorker, defineJob } from '../../shared/jobs/job-type.ts';
import { enqueue } from '../../shared/jobs/queue.ts';
import { getMetrics } from '../../shared/runtime/telemetry.ts';
import { pass as passMs, useVirtualTime } from '../support/run/virtual-time.ts';
import {
  deadJobs,
  queuedJobs,
  runJobs,
  runMinute,
  sendBody,
  useJobs,
  withoutQueue,
} from '../support/service/jobs.ts';
import { itemsOf, useTable } from '../support/table/table.ts';

const work = vi.hoisted(() => vi.fn<(n: number) => Promise<void>>());

const data = z.object({ n: z.int() });
const types = {
  plain: defineJob('plain', data),
  remembered: defineJob('remembered', data, { once: true }),
};

vi.mock('../../functions/jobs/registry.ts', () => ({
  get workers() {
    return Object.values(types).map((type) => createWorker(type, ({ n }) => work(n)));
  },
}));

type TestKind = keyof typeof types;

const add = (kind: TestKind, n: number, options: { delaySeconds?: number } = {}): Promise<void> =>
  enqueue(types[kind], { n }, options);

useTable();
useJobs();

useVirtualTime('2026-11-21T12:00:00Z');

const pass = (seconds: number): void => passMs(seconds * 1_000);

beforeEach(() => {
  work.mockReset().mockResolvedValue(undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  // Leftovers of a test would affect the next one.
  expect(await queuedJobs()).toEqual([]);
  expect(await itemsOf('OUTBOX')).toEqual([]);
});

const doneWith = (): number[] => work.mock.calls.map(([n]) => n).sort((a, b) => a - b);

/** Delivers the only job until the queue gives it up. */
const failFiveTimes = async (): Promise<void> => {
  for (let delivery = 1; delivery <= 5; delivery++) {
    expect(await runJobs()).toBe(1);
    pass(visibilitySeconds);
  }
  expect(await runJobs()).toBe(0);
};

describe('a job', () => {
  it.each<TestKind>(['plain', 'remembered'])('runs with its data: %s', async (kind) => {
    await add(kind, 1);
    expect(await runJobs()).toBe(1);
    expect(doneWith()).toEqual([1]);
  });

  it('does not run before its delay', async () => {
    await add('plain', 1, { delaySeconds: 60 });
    pass(59);
    expect(await runJobs()).toBe(0);
    pass(1);
    expect(await runJobs()).toBe(1);
  });

  it('is delayed by up to 15 minutes', async () => {
    await add('plain', 1, { delaySeconds: 5_000 });
    pass(899);
    expect(await runJobs()).toBe(0);
    pass(1);
    expect(await runJobs()).toBe(1);
  });

  it('is redelivered after the visibility timeout if it fails', async () => {
    work.mockRejectedValueOnce(new Error('not now'));
    await add('remembered', 1);
    expect(await runJobs()).toBe(1);
    pass(visibilitySeconds - 1);
    expect(await runJobs()).toBe(0);
    pass(1);
    expect(await runJobs()).toBe(1);
    expect(doneWith()).toEqual([1, 1]);
  });

  it.each<TestKind>(['plain', 'remembered'])(
    'is stored as a failed job after five failures: %s',
    async (kind) => {
      work.mockRejectedValue(new TypeError('never'));
      await add(kind, 1);
      const [body = ''] = await queuedJobs();
      await failFiveTimes();
      expect(work).toHaveBeenCalledTimes(5);
      expect(await deadJobs()).not.toContain(body);
      const failed = (await itemsOf('FAILED_JOBS')).filter(({ message }) => message === body);
      const now = Date.now() - visibilitySeconds * 1_000;
      expect(failed).toEqual([
        {
          pk: 'FAILED_JOBS',
          sk: `${now}-${JSON.parse(body).id}`,
          id: `${now}-${JSON.parse(body).id}`,
          kind,
          queue: 'work',
          message: body,
          failedAt: new Date(now).toISOString(),
          error: 'TypeError',
          ttl: now / 1_000 + 30 * 86_400,
        },
      ]);
    },
  );

  it('becomes a dead letter if the table doesn’t take it either', async () => {
    work.mockRejectedValue(new Error('never'));
    await add('plain', 1);
    const [body] = await queuedJobs();
    const { send } = DynamoDBDocumentClient.prototype;
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
      this: DynamoDBDocumentClient,
      ...args: unknown[]
    ) {
      if (args[0] instanceof PutCommand) throw new Error('Throttled');
      return Reflect.apply(send, this, args);
    } as never);
    await failFiveTimes();
    expect(await deadJobs()).toContain(body);
  });
});

describe('a batch', () => {
  it('redelivers only the failed one of ten jobs', async () => {
    let isBroken = true;
    work.mockImplementation(async (n) => {
      if (n === 3 && isBroken) throw new Error('not now');
    });
    for (let n = 0; n < 10; n++) await add(n % 2 ? 'plain' : 'remembered', n);
    expect(await runJobs()).toBe(10);
    expect((await queuedJobs()).map((body) => JSON.parse(body).data)).toEqual([{ n: 3 }]);
    isBroken = false;
    pass(visibilitySeconds);
    expect(await runJobs()).toBe(1);
    expect(doneWith()).toEqual([0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is received completely, with any number of receive calls', async () => {
    for (let n = 0; n < 23; n++) await add('plain', n);
    expect(await runJobs()).toBe(23);
    expect(doneWith()).toEqual(Array.from({ length: 23 }, (_, n) => n));
  });
});

describe('an invalid message', () => {
  it.each([
    ['with an unknown type', JSON.stringify({ id: '1', kind: 'tidy', data: {} })],
    [
      'with the name of an object property as its type',
      JSON.stringify({ id: '1', kind: 'toString', data: {} }),
    ],
    ['without an id', JSON.stringify({ kind: 'plain', data: { n: 1 } })],
    ['without JSON', 'Hello'],
    ['without an object', 'null'],
  ])('becomes a dead letter and blocks no other job: %s', async (_, body) => {
    await sendBody(body);
    await add('plain', 7);
    expect(await runJobs()).toBe(2);
    expect(doneWith()).toEqual([7]);
    expect(await queuedJobs()).toEqual([body]);
    for (let delivery = 2; delivery <= 5; delivery++) {
      pass(visibilitySeconds);
      expect(await runJobs()).toBe(1);
    }
    pass(visibilitySeconds);
    expect(await runJobs()).toBe(0);
    expect(await deadJobs()).toContain(body);
    expect(doneWith()).toEqual([7]);
  });
});

/** Returns the message of a job, as `enqueue` sends it. */
const bodyOf = (kind: TestKind, n: number, id: string): string =>
  JSON.stringify({ id, kind, data: { n } });

describe('a job that must run once', () => {
  it('runs once when its message is redelivered', async () => {
    const body = bodyOf('remembered', 1, randomUUID());
    await sendBody(body);
    expect(await runJobs()).toBe(1);
    await sendBody(body);
    expect(await runJobs()).toBe(1);
    expect(doneWith()).toEqual([1]);
  });

  it('runs once when its message is redelivered after weeks', async () => {
    const body = bodyOf('remembered', 1, randomUUID());
    await sendBody(body);
    await runJobs();
    pass(18 * 86_400);
    await sendBody(body);
    await runJobs();
    expect(doneWith()).toEqual([1]);
  });

  it('runs once for ten concurrent deliveries', async () => {
    const body = bodyOf('remembered', 1, randomUUID());
    await Promise.all(Array.from({ length: 10 }, () => sendBody(body)));
    expect(await runJobs()).toBe(10);
    pass(visibilitySeconds);
    await runJobs();
    expect(doneWith()).toEqual([1]);
  });

  it('runs again after a failure, then not again', async () => {
    work.mockRejectedValueOnce(new Error('not now'));
    const body = bodyOf('remembered', 1, randomUUID());
    await sendBody(body);
    await runJobs();
    pass(visibilitySeconds);
    await runJobs();
    await sendBody(body);
    await runJobs();
    expect(doneWith()).toEqual([1, 1]);
  });

  it('runs again after an interruption, once the time of that call is over', async () => {
    work.mockReturnValueOnce(new Promise(() => {}));
    const body = bodyOf('remembered', 1, randomUUID());
    expect(await handle([body], { remainingMs: 2_010 })).toEqual(['0']);
    expect(await handle([body])).toEqual(['0']);
    expect(work).toHaveBeenCalledTimes(1);
    pass(3);
    expect(await handle([body])).toEqual([]);
    expect(await handle([body])).toEqual([]);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('runs for each delivery if its type is repeatable', async () => {
    const body = bodyOf('plain', 1, randomUUID());
    await sendBody(body);
    await sendBody(body);
    await runJobs();
    expect(doneWith()).toEqual([1, 1]);
  });
});

/** Passes messages to the function and returns the indexes of the failed ones. */
const handle = async (
  bodies: readonly string[],
  { remainingMs = 60_000 } = {},
): Promise<string[]> => {
  const Records = bodies.map(
    (body, at) =>
      ({ messageId: String(at), body, attributes: { ApproximateReceiveCount: '1' } }) as SQSRecord,
  );
  const context = {
    ...lambdaContext('request-1', 0),
    getRemainingTimeInMillis: () => remainingMs,
  };
  const response = await handler({ Records }, context);
  return (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
};

describe('a job that exceeds the time of the function', () => {
  it('fails alone', async () => {
    work.mockImplementation((n) => (n === 1 ? new Promise(() => {}) : Promise.resolve()));
    const bodies = [0, 1, 2].map((n) => bodyOf('plain', n, `late-${n}`));
    expect(await handle(bodies, { remainingMs: 2_010 })).toEqual(['1']);
    expect(doneWith()).toEqual([0, 1, 2]);
  });
});

describe('a large batch', () => {
  it('runs twenty jobs concurrently', async () => {
    let running = 0;
    let most = 0;
    work.mockImplementation(async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    });
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    expect(await handle(numbers.map((n) => bodyOf('plain', n, `large-${n}`)))).toEqual([]);
    expect([doneWith(), most]).toEqual([numbers, 20]);
  });

  it('starts no job without enough time and redelivers it', async () => {
    const bodies = [0, 1].map((n) => bodyOf('remembered', n, `no-time-${n}`));
    expect(await handle(bodies, { remainingMs: 2_000 })).toEqual(['0', '1']);
    expect(work).not.toHaveBeenCalled();
    expect(await handle(bodies)).toEqual([]);
    expect(doneWith()).toEqual([0, 1]);
  });
});

describe('while the queue is down', () => {
  it('stores a job in the table and runs it once after the recovery', async () => {
    const count = vi.spyOn(getMetrics(), 'addMetric');
    await withoutQueue(() => add('remembered', 1));
    expect(count.mock.calls).toEqual([['JobsDeferred', 'Count', 1]]);
    const [waiting, ...others] = await itemsOf('OUTBOX');
    // It never expires.
    expect(Object.keys(waiting ?? {}).sort()).toEqual(['message', 'pk', 'queue', 'sk']);
    expect(others).toEqual([]);
    pass(1);
    await withoutQueue(runMinute);
    expect(await itemsOf('OUTBOX')).toHaveLength(1);
    await runMinute();
    await runMinute();
    expect(await runJobs()).toBe(1);
    expect(doneWith()).toEqual([1]);
  });

  it('keeps a delayed job in the table for its delay', async () => {
    await withoutQueue(() => add('plain', 1, { delaySeconds: 300 }));
    pass(299);
    await runMinute();
    expect(await runJobs()).toBe(0);
    pass(2);
    await runMinute();
    expect(await runJobs()).toBe(1);
  });

  it('sends all stored jobs in one scheduled run', async () => {
    await withoutQueue(() => Promise.all(Array.from({ length: 25 }, (_, n) => add('plain', n))));
    pass(1);
    await runMinute();
    expect(await runJobs()).toBe(25);
    expect(doneWith()).toEqual(Array.from({ length: 25 }, (_, n) => n));
  });

  it('runs a job once even if it could not be deleted after sending', async () => {
    await withoutQueue(() => add('remembered', 1));
    pass(1);
    const [Item] = await itemsOf('OUTBOX');
    await runMinute();
    await documentClient().send(new PutCommand({ TableName: tableName(), Item }));
    await runMinute();
    expect(await runJobs()).toBe(2);
    pass(visibilitySeconds);
    await runJobs();
    expect(doneWith()).toEqual([1]);
  });

  it('counts a lost job if the table is down too, without failing the caller', async () => {
    const count = vi.spyOn(getMetrics(), 'addMetric');
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(() =>
      Promise.reject(new Error('down')),
    );
    await expect(withoutQueue(() => add('plain', 1))).resolves.toBeUndefined();
    expect(count.mock.calls.map(([name]) => name)).toEqual(['JobsDeferred', 'JobsLost']);
  });
});

describe('the scheduled run', () => {
  it('counts a failure without throwing when the table is down', async () => {
    const count = vi.spyOn(getMetrics(), 'addMetric');
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(() =>
      Promise.reject(new Error('down')),
    );
    await expect(runMinute()).resolves.toBeUndefined();
    expect(count.mock.calls).toContainEqual(['SweepsFailed', 'Count', 1]);
  });
});
