import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { handler } from '../../../functions/jobs/index.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { lambdaContext } from '../host/lambda-context.ts';
import { visibilitySeconds } from './queues.ts';

/** As the stack sets them; nothing is waited for to fill a batch. */
const batchSize = 100;
const concurrency = 2;

/** So many messages are received, and deleted, by one request. */
const atOnce = 10;

/** Less than the visibility timeout, so that whatever broke off is over when its message is delivered again. */
const answerMs = (visibilitySeconds - 5) * 1_000;

const pollSeconds = 20;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

const toRecord = (message: Message, queueUrl: string): SQSRecord => {
  const { MessageId = '', ReceiptHandle = '', Body = '', Attributes, MD5OfBody = '' } = message;
  const [, account, name] = new URL(queueUrl).pathname.split('/');
  const awsRegion = process.env['AWS_REGION'] ?? '';
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${awsRegion}:${account}:${name}`,
    awsRegion,
  };
};

/**
 * The records that an answer says are done. One that names a message which is not in the batch can't be trusted.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
const getDone = (records: readonly SQSRecord[], response: SQSBatchResponse | undefined) => {
  const failed = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const isInBatch = (id: string) => records.some(({ messageId }) => messageId === id);
  return failed.every(isInBatch)
    ? records.filter(({ messageId }) => !failed.includes(messageId))
    : [];
};

/** What takes messages from a queue and hands them to the function, as Lambda's event source mapping does. */
export interface EventSource {
  /**
   * Waits for messages, has one batch done and deletes what was: the rest is delivered again after the visibility timeout.
   * Answers how many messages there were.
   * @throws what the queue throws, and the reason of the signal
   */
  deliver(options: {
    readonly waitSeconds: number;
    readonly signal?: AbortSignal;
  }): Promise<number>;
  /** Delivers until it is stopped, whatever the queue throws. */
  start(): void;
  /** Ends the waiting at once and lets batches that are being done end. */
  stop(): Promise<void>;
}

export const createEventSource = (queueUrl: string): EventSource => {
  const client = new SQSClient({ endpoint: new URL(queueUrl).origin, maxAttempts: 1 });
  const stopping = new AbortController();
  let loops: Promise<void>[] = [];

  /** Waits for messages, and takes along those that are there besides. */
  const receive = async (waitSeconds: number, signal?: AbortSignal): Promise<Message[]> => {
    const received: Message[] = [];
    let lastCount = atOnce;
    while (lastCount === atOnce && received.length < batchSize) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: atOnce,
          WaitTimeSeconds: received.length === 0 ? waitSeconds : 0,
          MessageSystemAttributeNames: ['All'],
        }),
        { ...(signal && { abortSignal: signal }) },
      );
      received.push(...Messages);
      lastCount = Messages.length;
    }
    return received;
  };

  const deliver: EventSource['deliver'] = async ({ waitSeconds, signal }) => {
    const Messages = await receive(waitSeconds, signal);
    if (Messages.length === 0) return 0;
    const Records = Messages.map((message) => toRecord(message, queueUrl));
    const context = lambdaContext(randomUUID(), Date.now() + answerMs);
    const done = getDone(Records, await handler({ Records }, context));
    for (let at = 0; at < done.length; at += atOnce) {
      await client.send(
        new DeleteMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: done.slice(at, at + atOnce).map(({ messageId, receiptHandle }) => ({
            Id: messageId,
            ReceiptHandle: receiptHandle,
          })),
        }),
      );
    }
    return Messages.length;
  };

  const poll = async (): Promise<void> => {
    const { signal } = stopping;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      try {
        await deliver({ waitSeconds: pollSeconds, signal });
        pauseMs = firstPauseMs;
      } catch (error) {
        if (signal.aborted) return;
        getLogger().warn('Jobs could not be delivered', { failure: serializeError(error) });
        await wait(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  };

  return {
    deliver,
    start() {
      loops = Array.from({ length: concurrency }, poll);
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      client.destroy();
    },
  };
};
