import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toEventName } from '../../../functions/jobs/activity/visitors.ts';
import { measureItem } from '../../../infra/local/aws/dynamodb/values/item-size.ts';
import { trackActivity } from '../../../shared/activity/track.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  canceled,
  mockTable,
  passingErrors,
  sent,
} from '../../support/aws/errors.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';

// Skips the pauses between attempts, but not the time budget of a batch.
vi.mock('node:timers/promises', async () => {
  const { setTimeout: wait } =
    await vi.importActual<typeof import('node:timers/promises')>('node:timers/promises');
  return {
    setTimeout: (ms: number, ...rest: [undefined?, object?]) =>
      ms < 5_000 ? undefined : wait(ms, ...rest),
  };
});

const table = mockTable();
const queue = mockClient(SQSClient);
const [, timeout] = passingErrors().find(([name]) => name === 'TimeoutError') ?? [];
const now = '2026-11-21T12:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  vi.spyOn(getMetrics(), 'addMetric');
  table.reset();
  queue.reset();
  table.on(TransactWriteCommand).resolves({});
  answerReads(table, []);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const transactions = () => sent(table, TransactWriteCommand).map((one) => one.TransactItems ?? []);
const metrics = () => vi.mocked(getMetrics().addMetric).mock.calls.map(([name]) => name);

const message = (id: string, fields: Partial<Told['data']> = {}): Told => ({
  id,
  data: { at: now, visitor: 'ann', counts: ['views'], ...fields },
});

const namesOf = (...messages: readonly Told[]): Buffer =>
  Buffer.from(messages.map(({ id, data }) => toEventName(data.claim ?? id)).join(''), 'hex');

describe('a batch of activity', () => {
  const one = message('1', { counts: ['pageViews', 'views'] });
  const two = message('2', { claim: 'share claim' });
  const three = message('3', {
    visitor: 'bob',
    at: '2026-11-20T23:59:59.999Z',
    counts: ['signIns'],
  });
  const batch = [one, two, three];

  it('stores the last hundred events of a visitor in less than 1 KB', async () => {
    const many = Array.from({ length: 120 }, (_, at) => message(`many-${at}`));
    await deliver(many);
    const item = transactions()[0]?.[0]?.Put?.Item;
    expect(item?.['names']).toEqual(namesOf(...many.slice(0, 100)));
    expect(measureItem(marshall(item))).toBeLessThan(1_024);
  });

  it('fails after repeated conflicts', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None'));
    expect(await deliver([one])).toEqual([0]);
    expect(metrics()).toEqual(['JobsFailed']);
  });

  it('writes up to 99 visitors in a transaction, and fails only those of a failed one', async () => {
    const many = Array.from({ length: 150 }, (_, at) =>
      message(`many-${at}`, { visitor: `visitor-${at}` }),
    );
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        throw accessDenied();
      })
      .resolves({});
    const failed = await deliver(many);
    expect(transactions().map((writes) => writes.length)).toEqual([100, 52]);
    expect(failed).toEqual(Array.from({ length: 99 }, (_, at) => at));
  });

  it.each([['TimeoutError', timeout] as const, ['AccessDenied', accessDenied()] as const])(
    'is redelivered after %s',
    async (_, error) => {
      table.on(TransactWriteCommand).rejects(error);
      expect(await deliver(batch)).toEqual([0, 1, 2]);
      table.on(TransactWriteCommand).resolves({});
      const before = transactions().length;
      table.on(BatchGetCommand).rejects(error);
      expect(await deliver(batch)).toEqual([0, 1, 2]);
      expect(transactions()).toHaveLength(before);
    },
  );
});

describe('an activity message', () => {
  const client = { network: '192.0.2.1', userAgent: 'tests' };

  it('is short and sent once per request', async () => {
    queue.on(SendMessageCommand).resolves({});
    await trackActivity(client, { counts: ['pageViews', 'views'], share: 'abc' });
    const [input] = queue.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
    expect(JSON.parse(input?.MessageBody ?? '')).toEqual({
      id: expect.any(String),
      kind: 'activity',
      data: {
        at: now,
        visitor: expect.stringMatching(/^[\w-]{22}$/),
        counts: ['pageViews', 'views'],
        share: 'abc',
      },
    });
  });

  it('contains the time of an earlier event, so that a view id stays within the same day', async () => {
    queue.on(SendMessageCommand).resolves({});
    await trackActivity(client, { counts: ['views'], claim: 'abc', at: Date.parse(now) - 1 });
    const [input] = queue.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
    expect(JSON.parse(input?.MessageBody ?? '').data.at).toBe('2026-11-21T11:59:59.999Z');
  });

  it('is dropped and counted if the queue fails', async () => {
    queue.on(SendMessageCommand).rejects(timeout);
    await trackActivity(client, { counts: ['views'] });
    expect(metrics()).toEqual(['JobsDropped']);
    expect(table.calls()).toEqual([]);
  });

  it('waits for the connection with the first message of a process, and no longer with others', async () => {
    vi.resetModules();
    const fresh = await import('../../../shared/activity/track.ts');
    const telemetry = await import('../../../shared/runtime/telemetry.ts');
    const { SQSClient: FreshClient } = await import('@aws-sdk/client-sqs');
    const addMetric = vi.spyOn(telemetry.getMetrics(), 'addMetric');
    const answers: (() => void)[] = [];
    vi.spyOn(FreshClient.prototype, 'send').mockImplementation(
      ((_: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          answers.push(() => resolve({}));
          abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
        })) as never,
    );
    const turn = setImmediate;
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setImmediate', 'performance'] });
    const droppedAfter = async (ms: number): Promise<boolean> => {
      addMetric.mockClear();
      const tracked = fresh.trackActivity(client, { counts: ['views'] });
      while (answers.length === 0) await new Promise((resolve) => turn(resolve));
      await vi.advanceTimersByTimeAsync(ms);
      answers.pop()?.();
      await tracked;
      return addMetric.mock.calls.some(([name]) => name === 'JobsDropped');
    };
    expect(await droppedAfter(1_000)).toBe(false);
    expect(await droppedAfter(150)).toBe(false);
    expect(await droppedAfter(300)).toBe(true);
  });
});
