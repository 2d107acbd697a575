import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobsHandler } from '../../functions/jobs/index.ts';
import { runInProcess } from '../../infra/local/aws/host/in-process.ts';
import { localQueueUrl, openQueues } from '../../infra/local/aws/queue/queue.ts';
import { createEventSource } from '../../infra/local/jobs/event-source.ts';
import {
  deadLettersName,
  ensureQueues,
  queueNames,
  queueSettings,
  visibilitySeconds,
} from '../../infra/local/jobs/queues.ts';
import { startSchedule } from '../../infra/local/jobs/schedule.ts';
import { pass } from '../support/run/virtual-time.ts';
import { openTestQueues, serveQueues, type TestQueues } from '../support/service/queue-server.ts';

const handler = vi.hoisted(() => vi.fn<JobsHandler>());
vi.mock('../../functions/jobs/index.ts', () => ({ handler }));

const QueueUrl = localQueueUrl(queueNames.work);

const start = (): TestQueues => {
  const queues = openTestQueues();
  onTestFinished(() => queues.close());
  return queues;
};

/** Returns a client whose commands run in this process; others find no endpoint. */
const clientOf = ({ engine }: Pick<TestQueues, 'engine'>): SQSClient => {
  const client = new SQSClient({ endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
  runInProcess(client, engine.operations);
  return client;
};

const send = async (queues: TestQueues, ...bodies: readonly string[]): Promise<void> => {
  for (const MessageBody of bodies) {
    await clientOf(queues).send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
};

const bodiesIn = ({ bodies }: TestQueues): string[] => bodies(queueNames.work).sort();

beforeEach(() => {
  handler.mockReset().mockResolvedValue({ batchItemFailures: [] });
});
afterEach(() => void vi.useRealTimers());

/** Returns the numbers of messages that aren't 0. */
const countIn = async (client: SQSClient, url = QueueUrl) => {
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] });
  const { Attributes } = await client.send(command);
  const found: Readonly<Record<string, string | undefined>> = Attributes ?? {};
  const names = { waiting: '', received: 'NotVisible', delayed: 'Delayed' };
  const counts = Object.entries(names).map(([name, suffix]) => [
    name,
    found[`ApproximateNumberOfMessages${suffix}`],
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count !== '0'));
};

describe('the local queue', () => {
  const open = () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const queues = start();
    const client = clientOf(queues);
    const receive = async (options: object = {}, url = QueueUrl) => {
      const command = new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        ...options,
      });
      return (await client.send(command)).Messages ?? [];
    };
    const receiveBodies = async (options?: object, url?: string) =>
      (await receive(options, url)).map(({ Body }) => Body);
    return { queues, client, receive, receiveBodies };
  };

  it('delivers due messages in order, up to the requested number', async () => {
    const { queues, receiveBodies } = open();
    await send(queues, 'a', 'b', 'c');
    expect(await receiveBodies({ MaxNumberOfMessages: 2 })).toEqual(['a', 'b']);
    expect(await receiveBodies()).toEqual(['c']);
    expect(await receiveBodies()).toEqual([]);
  });

  it('delivers each message of a batch after its delay', async () => {
    const { client, receiveBodies } = open();
    const Entries = [0, 60, 900].map((DelaySeconds, at) => ({
      Id: `${at}`,
      MessageBody: `after ${DelaySeconds}`,
      DelaySeconds,
    }));
    const { Successful, Failed } = await client.send(
      new SendMessageBatchCommand({ QueueUrl, Entries }),
    );
    expect([Successful?.map(({ Id }) => Id), Failed]).toEqual([['0', '1', '2'], undefined]);
    const received = [await receiveBodies()];
    for (const seconds of [59, 1, 840]) {
      pass(seconds * 1_000);
      received.push((await receiveBodies()).filter((body) => body !== 'after 0'));
    }
    expect(received).toEqual([['after 0'], [], ['after 60'], ['after 60', 'after 900']]);
  });

  it('delivers an undeleted message again after the visibility timeout', async () => {
    const { queues, client, receive } = open();
    await send(queues, 'kept', 'done');
    const first = await receive();
    const Entries = first
      .filter(({ Body }) => Body === 'done')
      .map(({ ReceiptHandle }) => ({ Id: 'done', ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    pass(visibilitySeconds * 1_000 - 1);
    expect(await receive()).toEqual([]);
    pass(1);
    const [again, ...others] = await receive();
    expect(others).toEqual([]);
    expect(again).toMatchObject({
      Body: 'kept',
      MessageId: first.find(({ Body }) => Body === 'kept')?.MessageId,
      Attributes: { ApproximateReceiveCount: '2' },
    });
    expect(first.map(({ ReceiptHandle }) => ReceiptHandle)).not.toContain(again?.ReceiptHandle);
  });

  it('ignores the deletion of a message that was delivered again since', async () => {
    const { queues, client, receive } = open();
    await send(queues, 'slow');
    const [{ ReceiptHandle } = { ReceiptHandle: '' }] = await receive();
    pass(visibilitySeconds * 1_000);
    await receive();
    const Entries = [{ Id: 'late', ReceiptHandle }];
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    expect(bodiesIn(queues)).toEqual(['slow']);
  });

  it('moves a message to the dead letters after five deliveries', async () => {
    const { queues, client, receiveBodies } = open();
    await send(queues, 'failing');
    for (let delivery = 1; delivery <= 5; delivery++) {
      expect(await receiveBodies()).toEqual(['failing']);
      pass(visibilitySeconds * 1_000);
    }
    expect(await receiveBodies()).toEqual([]);
    expect(queues.bodies(deadLettersName)).toEqual(['failing']);
    expect(await countIn(client, localQueueUrl(deadLettersName))).toEqual({ waiting: '1' });
    expect(await receiveBodies({}, localQueueUrl(deadLettersName))).toEqual(['failing']);
  });

  it('counts messages that are due, received and delayed', async () => {
    const { queues, client, receive } = open();
    await send(queues, 'one', 'two', 'three');
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 60 }));
    await receive({ MaxNumberOfMessages: 1 });
    expect(await countIn(client)).toEqual({ waiting: '2', received: '1', delayed: '1' });
    pass(61_000);
    expect(await countIn(client)).toEqual({ waiting: '4' });
  });

  it('deletes messages after four days, and dead letters after 14', async () => {
    const { queues, client, receiveBodies } = open();
    const dead = localQueueUrl(deadLettersName);
    await send(queues, 'job');
    await client.send(new SendMessageCommand({ QueueUrl: dead, MessageBody: 'dead' }));
    const messagesAfter = async (days: number) => {
      await receiveBodies();
      pass(days * 86_400_000);
      await receiveBodies({}, localQueueUrl(deadLettersName));
      return [...queues.bodies(queueNames.work), ...queues.bodies(deadLettersName)];
    };
    expect(await messagesAfter(4)).toEqual(['job', 'dead']);
    pass(visibilitySeconds * 1_000);
    vi.setSystemTime(Date.now() + 86_400_000);
    await receiveBodies();
    await receiveBodies();
    expect([...queues.bodies(queueNames.work), ...queues.bodies(deadLettersName)]).toEqual([
      'dead',
    ]);
  });

  it('waits for a message, and no longer than requested', async () => {
    const queues = start();
    const client = clientOf(queues);
    const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
    const waiting = client.send(receive);
    await send(queues, 'new');
    expect((await waiting).Messages).toMatchObject([{ Body: 'new' }]);
    const short = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 });
    expect((await client.send(short)).Messages).toEqual([]);
  });

  it('waits until a delayed message is due', async () => {
    const queues = start();
    const client = clientOf(queues);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'soon', DelaySeconds: 1 }));
    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }),
    );
    expect(Messages).toMatchObject([{ Body: 'soon' }]);
  });

  it.each([
    ['an empty message', new SendMessageCommand({ QueueUrl, MessageBody: '' })],
    ['more than 1 MiB', new SendMessageCommand({ QueueUrl, MessageBody: 'x'.repeat(1_048_577) })],
    [
      'a delay over 15 minutes',
      new SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 901 }),
    ],
  ])('rejects %s, as SQS does', async (_, command) => {
    await expect(clientOf(start()).send(command)).rejects.toThrow(RangeError);
  });

  it('rejects batches of more than ten messages, and unknown queues', async () => {
    const client = clientOf(start());
    const Entries = Array.from({ length: 11 }, (_, at) => ({ Id: `${at}`, MessageBody: 'x' }));
    await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toThrow(
      RangeError,
    );
    await expect(
      client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 })),
    ).rejects.toThrow(RangeError);
    const unknown = new SendMessageCommand({ QueueUrl: `${QueueUrl}-gone`, MessageBody: 'x' });
    await expect(client.send(unknown)).rejects.toThrow(QueueDoesNotExist);
  });

  it('leaves the queues of other endpoints to them', async () => {
    const elsewhere = { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs', MessageBody: 'x' };
    await expect(clientOf(start()).send(new SendMessageCommand(elsewhere))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('keeps its messages in its file, whatever ends the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'queue-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'jobs.sqlite');
    const killed = openQueues(path, queueSettings);
    await clientOf({ engine: killed }).send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'a job 🎉' }),
    );
    // Opened without closing the first one, as after a kill.
    const next = openQueues(path, queueSettings);
    const { Messages } = await clientOf({ engine: next }).send(
      new ReceiveMessageCommand({ QueueUrl }),
    );
    expect(Messages).toMatchObject([{ Body: 'a job 🎉' }]);
    killed.close();
    next.close();
  });
});

describe('the queues of SQS', () => {
  it('are created as in the stack, unless they exist', async () => {
    const sqs = mockClient(SQSClient);
    onTestFinished(() => sqs.restore());
    const host = 'http://sqs.example/000000000000';
    sqs
      .on(GetQueueUrlCommand)
      .rejects(new QueueDoesNotExist({ message: 'No', $metadata: {} }))
      .on(CreateQueueCommand)
      .callsFake(async ({ QueueName }) => ({ QueueUrl: `${host}/${QueueName}` }))
      .on(GetQueueAttributesCommand)
      .resolves({ Attributes: { QueueArn: 'arn:dead' } });
    const urls = Object.fromEntries(
      Object.entries(queueNames).map(([queue, name]) => [
        queue,
        `http://127.0.0.1:9324/000000000000/${name}`,
      ]),
    );
    expect(await ensureQueues('http://127.0.0.1:9324')).toEqual(urls);
    expect(sqs.commandCalls(CreateQueueCommand).map(({ args }) => args[0].input)).toEqual([
      { QueueName: deadLettersName, Attributes: { MessageRetentionPeriod: String(14 * 86_400) } },
      ...Object.values(queueNames).map((QueueName) => ({
        QueueName,
        Attributes: {
          MessageRetentionPeriod: String(4 * 86_400),
          VisibilityTimeout: '30',
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:dead', maxReceiveCount: 5 }),
        },
      })),
    ]);
    sqs.on(GetQueueUrlCommand).callsFake(async ({ QueueName }) => ({
      QueueUrl: `${host}/${QueueName}`,
    }));
    expect(await ensureQueues('http://127.0.0.1:9324')).toEqual(urls);
    expect(sqs.commandCalls(CreateQueueCommand)).toHaveLength(4);
  });
});

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
