// What the functions get of the local queues and of the schedule, as from Lambda. queue.test.ts has the queues.

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobsHandler } from '../../functions/jobs/index.ts';
import { createEventSource } from '../../infra/local/jobs/event-source.ts';
import { visibilitySeconds } from '../../infra/local/jobs/queues.ts';
import { startSchedule } from '../../infra/local/jobs/schedule.ts';
import { serveQueues } from '../support/service/queue-server.ts';
import { bodiesIn, QueueUrl, send, start } from './queues.ts';

const handler = vi.hoisted(() => vi.fn<JobsHandler>());
vi.mock('../../functions/jobs/index.ts', () => ({ handler }));

beforeEach(() => {
  handler.mockReset().mockResolvedValue({ batchItemFailures: [] });
});
afterEach(() => void vi.useRealTimers());

describe('the event source', () => {
  const open = () => {
    const queues = start();
    const source = createEventSource(QueueUrl, queues.engine.operations);
    onTestFinished(() => source.stop());
    return { queues, source };
  };

  it("passes events as Lambda's does", async () => {
    const { queues, source } = open();
    await send(queues, 'one');
    expect(await source.deliver({ waitSeconds: 0 })).toBe(1);
    const [event, context] = handler.mock.calls[0] ?? [];
    expect(event).toEqual({
      Records: [
        {
          messageId: expect.any(String),
          receiptHandle: expect.any(String),
          body: 'one',
          attributes: expect.objectContaining({
            ApproximateReceiveCount: '1',
            SentTimestamp: expect.stringMatching(/^\d{13}$/),
          }),
          messageAttributes: {},
          md5OfBody: 'f97c5d29941bfb1b2fdab0874906ab82',
          eventSource: 'aws:sqs',
          eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:handbill-jobs',
          awsRegion: 'us-east-1',
        },
      ],
    });
    expect(context?.getRemainingTimeInMillis()).toBeLessThan(visibilitySeconds * 1_000);
  });

  const responses: readonly [string, JobsHandler, string[]][] = [
    ['nothing', async () => undefined, []],
    ['no failures', async () => ({ batchItemFailures: [] }), []],
    [
      'one failure',
      async (event) => ({
        batchItemFailures:
          'Records' in event
            ? event.Records.filter(({ body }) => body === 'b').map(({ messageId }) => ({
                itemIdentifier: messageId,
              }))
            : [],
      }),
      ['b'],
    ],
    [
      'a failure of another batch',
      async () => ({ batchItemFailures: [{ itemIdentifier: 'unknown' }] }),
      ['a', 'b', 'c'],
    ],
  ];
  it.each(responses)(
    'deletes completed messages for a response with %s',
    async (_, response, left) => {
      const { queues, source } = open();
      handler.mockImplementation(response);
      await send(queues, 'a', 'b', 'c');
      expect(await source.deliver({ waitSeconds: 0 })).toBe(3);
      expect(bodiesIn(queues)).toEqual(left);
    },
  );

  it('deletes nothing when the function throws', async () => {
    const { queues, source } = open();
    handler.mockRejectedValue(new Error('out of memory'));
    await send(queues, 'a', 'b');
    await expect(source.deliver({ waitSeconds: 0 })).rejects.toThrow('out of memory');
    expect(bodiesIn(queues)).toEqual(['a', 'b']);
  });

  it('continues after the queue was unavailable', async () => {
    const queues = start();
    const server = await serveQueues(queues.engine);
    const source = createEventSource(server.urls.work);
    onTestFinished(() => source.stop());
    const first = handed('first');
    source.start();
    await send(queues, 'first');
    await first;
    const second = handed('second');
    await server.close();
    await send(queues, 'second');
    const again = await serveQueues(queues.engine, Number(new URL(server.endpoint).port));
    onTestFinished(() => again.close());
    await second;
  });

  it('stops while it waits for messages', async () => {
    const { queues, source } = open();
    // Only the stop ends this wait.
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    onTestFinished(() => timeout.mockRestore());
    const job = handed('job');
    source.start();
    await send(queues, 'job');
    await job;
    await source.stop();
  });

  it('waits for a running batch', async () => {
    const { queues, source } = open();
    let end = (): void => {};
    const begun = new Promise<void>((resolve) => {
      handler.mockImplementation(async () => {
        resolve();
        await new Promise<void>((done) => {
          end = done;
        });
        return undefined;
      });
    });
    await send(queues, 'long');
    source.start();
    await begun;
    const stopped = source.stop();
    end();
    await stopped;
    expect(bodiesIn(queues)).toEqual([]);
  });
});

/** Resolves when the function is handed a message with this body. */
const handed = (body: string): Promise<void> =>
  new Promise((resolve) => {
    handler.mockImplementation(async (event) => {
      if ('Records' in event && event.Records.some((record) => record.body === body)) resolve();
      return undefined;
    });
  });

describe('the schedule', () => {
  it('invokes the function at the start and every five seconds, never concurrently', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    let end = (): void => {};
    handler.mockImplementation(
      () =>
        new Promise((resolve) => {
          end = () => resolve(undefined);
        }),
    );
    const stop = startSchedule();
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ source: 'aws.events' });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(handler).toHaveBeenCalledTimes(1);
    end();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(handler).toHaveBeenCalledTimes(2);
    const stopped = stop();
    end();
    await stopped;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('continues after a failed run', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    handler.mockRejectedValueOnce(new Error('no table'));
    const stop = startSchedule();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(handler).toHaveBeenCalledTimes(2);
    await stop();
  });
});
