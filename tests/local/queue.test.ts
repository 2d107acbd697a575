import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobsHandler } from '../../functions/jobs/index.ts';
import { type QueueEngine, startQueueEngine } from '../../infra/local/jobs/engine.ts';
import { createEventSource } from '../../infra/local/jobs/event-source.ts';
import { ensureQueues, jobsQueueName, visibilitySeconds } from '../../infra/local/jobs/queues.ts';
import { startSchedule } from '../../infra/local/jobs/schedule.ts';

const handler = vi.hoisted(() => vi.fn<JobsHandler>());
vi.mock('../../functions/jobs/index.ts', () => ({ handler }));

const start = async (port = 0): Promise<QueueEngine> => {
  const engine = await startQueueEngine(port);
  onTestFinished(() => engine.close());
  return engine;
};

const send = async (QueueUrl: string, ...bodies: readonly string[]): Promise<void> => {
  const client = new SQSClient({ endpoint: new URL(QueueUrl).origin });
  for (const MessageBody of bodies) {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
  client.destroy();
};

const bodiesIn = async (engine: QueueEngine): Promise<string[]> =>
  (await engine.listMessages(jobsQueueName)).map(({ body }) => body).sort();

beforeEach(() => {
  handler.mockReset().mockResolvedValue({ batchItemFailures: [] });
});
afterEach(() => void vi.useRealTimers());

describe('the engine', () => {
  it('listens on the loopback interface only', async () => {
    const { endpoint } = await start();
    expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) {
      const socket = connect(Number(new URL(endpoint).port), address);
      const outcome = await Promise.race([
        once(socket, 'connect').then(() => 'connected'),
        once(socket, 'error').then(([error]) => error.code),
      ]).catch((error) => error.code);
      socket.destroy();
      expect(outcome).toBe('ECONNREFUSED');
    }
  });

  it('listens on the given port', async () => {
    const port = await freePort();
    expect((await start(port)).endpoint).toBe(`http://127.0.0.1:${port}`);
  });
});

describe('the queues', () => {
  it('are created once, as in the stack, and reachable at the endpoint', async () => {
    const { endpoint } = await start();
    const QueueUrl = await ensureQueues(endpoint);
    expect(QueueUrl).toBe(`${endpoint}/000000000000/handbill-jobs`);
    await send(QueueUrl, 'kept');
    expect(await ensureQueues(endpoint)).toBe(QueueUrl);
    const client = new SQSClient({ endpoint });
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    client.destroy();
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '1',
      MessageRetentionPeriod: String(4 * 86_400),
      VisibilityTimeout: '30',
    });
    expect(JSON.parse(Attributes?.['RedrivePolicy'] ?? '')).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:handbill-jobs-dead-letter',
      maxReceiveCount: 5,
    });
  });
});

describe('the event source', () => {
  const open = async () => {
    const engine = await start();
    const queueUrl = await ensureQueues(engine.endpoint);
    const source = createEventSource(queueUrl);
    onTestFinished(() => source.stop());
    return { engine, queueUrl, source };
  };

  it("passes events as Lambda's does", async () => {
    const { source, queueUrl } = await open();
    await send(queueUrl, 'one');
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
      const { engine, source, queueUrl } = await open();
      handler.mockImplementation(response);
      await send(queueUrl, 'a', 'b', 'c');
      expect(await source.deliver({ waitSeconds: 0 })).toBe(3);
      expect(await bodiesIn(engine)).toEqual(left);
    },
  );

  it('deletes nothing when the function throws', async () => {
    const { engine, source, queueUrl } = await open();
    handler.mockRejectedValue(new Error('out of memory'));
    await send(queueUrl, 'a', 'b');
    await expect(source.deliver({ waitSeconds: 0 })).rejects.toThrow('out of memory');
    expect(await bodiesIn(engine)).toEqual(['a', 'b']);
  });

  it('continues after the engine was unavailable', async () => {
    const { engine, source, queueUrl } = await open();
    const first = handed('first');
    source.start();
    await send(queueUrl, 'first');
    await first;
    const second = handed('second');
    await engine.close();
    await start(Number(new URL(queueUrl).port));
    await ensureQueues(engine.endpoint);
    await send(queueUrl, 'second');
    await second;
  });

  it('stops immediately while it waits for messages', { timeout: 10_000 }, async () => {
    const { source, queueUrl } = await open();
    const job = handed('job');
    source.start();
    await send(queueUrl, 'job');
    await job;
    await source.stop();
  });

  it('waits for a running batch', async () => {
    const { engine, source, queueUrl } = await open();
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
    await send(queueUrl, 'long');
    source.start();
    await begun;
    const stopped = source.stop();
    end();
    await stopped;
    expect(await bodiesIn(engine)).toEqual([]);
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

const freePort = async (): Promise<number> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
