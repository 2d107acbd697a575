import {
  RequestThrottled,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { handler } from '../../functions/jobs/index.ts';
import { lambdaContext } from '../../infra/local/lambda-context.ts';
import { createWorker, defineJob } from '../../shared/jobs/job-type.ts';
import { enqueue } from '../../shared/jobs/queue.ts';
import { sendOutbox } from '../../shared/jobs/unsent.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
} from '../support/aws/errors.ts';

const work = vi.hoisted(() => vi.fn<() => Promise<void>>());

const mailJob = defineJob('mail', z.object({ email: z.string() }), { once: true });

vi.mock('../../functions/jobs/registry.ts', () => ({
  get workers() {
    return [createWorker(mailJob, () => work())];
  },
}));

const queue = mockClient(SQSClient);
const table = mockTable();

const TableName = 'handbill-test';
const QueueUrl = process.env['JOBS_QUEUE_URL'];
const now = '2026-11-21T12:00:00.000Z';
const aText = expect.any(String);

const counted = (): unknown[] => vi.mocked(getMetrics().addMetric).mock.calls.map(([name]) => name);
/** Returns the log output as text. */
const logged = (): string =>
  JSON.stringify([vi.mocked(getLogger().warn).mock.calls, vi.mocked(getLogger().error).mock.calls]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  vi.spyOn(getMetrics(), 'addMetric');
  vi.spyOn(getLogger(), 'warn').mockImplementation(() => {});
  vi.spyOn(getLogger(), 'error').mockImplementation(() => {});
  queue.reset();
  table.reset();
  table.on(PutCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  work.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answered = (httpStatusCode: number) => ({
  message: 'arn:aws',
  $metadata: { httpStatusCode },
});

const queueErrors: readonly (readonly [string, Error])[] = [
  ['RequestThrottled', new RequestThrottled(answered(400))],
  ['AccessDenied', accessDenied()],
];
const [[, busy] = []] = passingErrors();

const add = (options: { delaySeconds?: number } = {}): Promise<void> =>
  enqueue(mailJob, { email: 'ann@example.com' }, options);

const message = { id: aText, kind: 'mail', data: { email: 'ann@example.com' } };

describe('an enqueued job', () => {
  it('sends one message', async () => {
    await add();
    const [input, ...others] = queue
      .commandCalls(SendMessageCommand)
      .map(({ args }) => args[0].input);
    expect(input).toEqual({ QueueUrl, MessageBody: aText });
    expect(JSON.parse(input?.MessageBody ?? '')).toEqual(message);
    expect(others).toEqual([]);
    expect(table.calls()).toHaveLength(0);
  });

  it('waits in the queue for its delay', async () => {
    await add({ delaySeconds: 120 });
    expect(queue.commandCalls(SendMessageCommand)[0]?.args[0].input).toMatchObject({
      DelaySeconds: 120,
    });
  });

  it.each(queueErrors)('is stored in the outbox when the queue fails: %s', async (_, error) => {
    queue.on(SendMessageCommand).rejects(error);
    await add({ delaySeconds: 60 });
    const stored = sent(table, PutCommand).map(({ Item }) => JSON.parse(Item?.['message']));
    expect(stored).toEqual([message]);
    expect(counted()).toEqual(['JobsDeferred']);
    expect(logged()).not.toMatch(/ann@example\.com|arn:aws/);
  });

  it('is lost and counted when the table fails too', async () => {
    queue.on(SendMessageCommand).rejects(new RequestThrottled(answered(400)));
    table.on(PutCommand).rejects(accessDenied());
    await expect(add()).resolves.toBeUndefined();
    expect(counted()).toEqual(['JobsDeferred', 'JobsLost']);
    expect(logged()).not.toMatch(/ann@example\.com|arn:aws/);
  });

  it('is stored once if the write is repeated after a lost response', async () => {
    queue.on(SendMessageCommand).rejects(new RequestThrottled(answered(400)));
    table.on(PutCommand).rejects(conditionFailed({ pk: 'OUTBOX#0' }));
    await add();
    expect(counted()).toEqual(['JobsDeferred']);
  });
});

describe('jobs in the outbox', () => {
  const count = 12;
  const unsent = (n: number) => ({
    pk: 'OUTBOX#0',
    sk: `2026-11-21T11:00:00.000Z#id-${n}`,
    queue: 'work',
    message: JSON.stringify({ id: `id-${n}`, kind: 'mail', data: { n } }),
  });
  const all = Array.from({ length: count }, (_, n) => unsent(n));

  beforeEach(() => {
    table.on(BatchWriteCommand).resolves({});
    queue.on(SendMessageBatchCommand).callsFake(({ Entries }) => ({ Successful: Entries }));
  });

  const deleted = (): unknown[] =>
    sent(table, BatchWriteCommand).flatMap(({ RequestItems }) =>
      (RequestItems?.[TableName] ?? []).map(({ DeleteRequest }) => DeleteRequest?.Key?.['sk']),
    );
  const keysOf = (...ns: readonly number[]) => ns.map((n) => unsent(n).sk);

  it('are sent ten at a time and deleted together', async () => {
    await sendOutbox(all);
    const inputs = queue.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input);
    expect(inputs.map(({ Entries }) => Entries?.length)).toEqual([10, 2]);
    expect(inputs[1]).toEqual({
      QueueUrl,
      Entries: [
        { Id: '0', MessageBody: unsent(10).message },
        { Id: '1', MessageBody: unsent(11).message },
      ],
    });
    expect(deleted()).toEqual(keysOf(...all.keys()));
    expect(sent(table, BatchWriteCommand)).toHaveLength(1);
  });

  it('are deleted again if the table returns them unprocessed', async () => {
    const left = { DeleteRequest: { Key: { pk: 'OUTBOX#0', sk: unsent(3).sk } } };
    table
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: { [TableName]: [left] } })
      .resolves({});
    await sendOutbox(all);
    expect(deleted()).toEqual([...keysOf(...all.keys()), unsent(3).sk]);
  });

  it('stay stored if the queue rejects them, without blocking others', async () => {
    queue.on(SendMessageBatchCommand).callsFake(({ Entries }) => ({
      Successful: Entries.slice(1),
      Failed: Entries.slice(0, 1),
    }));
    await sendOutbox(all);
    expect(deleted()).toEqual(keysOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 11));
  });

  it.each(queueErrors)('stay stored while the queue fails: %s', async (_, error) => {
    queue.on(SendMessageBatchCommand).rejects(error);
    await expect(sendOutbox(all)).rejects.toBe(error);
    expect(deleted()).toEqual([]);
  });

  it('are deleted as far as they were sent before the queue failed', async () => {
    queue
      .on(SendMessageBatchCommand)
      .callsFakeOnce(({ Entries }) => ({ Successful: Entries }))
      .rejects(new RequestThrottled(answered(400)));
    await expect(sendOutbox(all)).rejects.toThrow(RequestThrottled);
    expect(deleted()).toEqual(keysOf(...all.keys()).slice(0, 10));
  });
});

describe('a job that runs once', () => {
  const deliver = async (): Promise<unknown> => {
    const body = JSON.stringify({ id: 'id-1', kind: 'mail', data: { email: 'ann@example.com' } });
    const Records = [
      { messageId: 'message-1', body, attributes: { ApproximateReceiveCount: '1' } } as SQSRecord,
    ];
    const response = await handler({ Records }, lambdaContext('request-1', Date.now() + 60_000));
    return response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  const remembered = { pk: 'JOB#id-1', sk: 'JOB' };

  it('is recorded without its data', async () => {
    await deliver();
    expect(JSON.stringify(table.calls().map(({ args }) => args[0].input))).not.toContain('ann');
  });

  it('is not started if its record fails', async () => {
    table.on(PutCommand).rejects(busy);
    expect(await deliver()).toEqual(['message-1']);
    expect(work).not.toHaveBeenCalled();
    expect(counted()).toEqual(['JobsFailed']);
    expect(logged()).not.toMatch(/ann@example\.com|arn:aws/);
  });

  it('does not run again once done', async () => {
    table.on(PutCommand).rejects(conditionFailed({ ...remembered, token: 'other' }));
    expect(await deliver()).toEqual([]);
    expect(work).not.toHaveBeenCalled();
  });

  it('is redelivered while another delivery runs it', async () => {
    const claimedUntil = Date.parse(now) + 1_000;
    table.on(PutCommand).rejects(conditionFailed({ ...remembered, token: 'other', claimedUntil }));
    expect(await deliver()).toEqual(['message-1']);
    expect(work).not.toHaveBeenCalled();
  });

  it('is redelivered after a failure, which releases its claim', async () => {
    work.mockRejectedValue(new Error('not now'));
    expect(await deliver()).toEqual(['message-1']);
    expect(sent(table, DeleteCommand)).toHaveLength(1);
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it('is redelivered if its completion could not be recorded', async () => {
    table.on(UpdateCommand).rejects(busy);
    expect(await deliver()).toEqual(['message-1']);
  });
});
