// The queues of `npm start`: what a client of SQS finds in them. event-source.test.ts has what is delivered from them.

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
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { localQueueUrl, openQueues } from '../../infra/local/aws/queue/queue.ts';
import {
  deadLettersName,
  ensureQueues,
  queueNames,
  queueSettings,
  visibilitySeconds,
} from '../../infra/local/jobs/queues.ts';
import { pass } from '../support/run/virtual-time.ts';
import { bodiesIn, clientOf, QueueUrl, send, start } from './queues.ts';

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
    expect(sqs.commandCalls(CreateQueueCommand)).toHaveLength(5);
  });
});
