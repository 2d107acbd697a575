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
import { type Operations, runInProcess } from '../aws/host/in-process.ts';
import { lambdaContext } from '../lambda-context.ts';
import { visibilitySeconds } from './queues.ts';

/** As in the stack, but without a batching window. */
const batchSize = 300;
const concurrency = 2;

/** SQS's maximum for receiving and deleting. */
const messagesPerRequest = 10;

/** Below the visibility timeout, so that an aborted invocation has ended when its messages are delivered again. */
const timeoutMs = (visibilitySeconds - 5) * 1_000;

const pollSeconds = 20;
/** Gathers the activity of concurrent requests, whose batch costs little more than one message. */
const gatheringMs = 250;
const firstPauseMs = 500;
const maxPauseMs = 30_000;

const toRecord = (message: Message, queueUrl: string): SQSRecord => {
  const { MessageId = '', ReceiptHandle = '', Body = '', Attributes, MD5OfBody = '' } = message;
  const [, account, name] = new URL(queueUrl).pathname.split('/');
  const awsRegion = process.env['AWS_REGION'] ?? '';
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    // The queue is asked for all attributes of a message.
    attributes: Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${awsRegion}:${account}:${name}`,
    awsRegion,
  };
};

/**
 * Returns the completed records by the function's response. A response with an unknown message fails the whole batch.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
const findCompleted = (records: readonly SQSRecord[], response: SQSBatchResponse | undefined) => {
  const failed = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const isInBatch = (id: string) => records.some(({ messageId }) => messageId === id);
  return failed.every(isInBatch)
    ? records.filter(({ messageId }) => !failed.includes(messageId))
    : [];
};

/** Invokes the function with the messages of a queue, as Lambda's event source mapping does. */
export interface EventSource {
  /**
   * Waits for messages, processes one batch, deletes the completed messages and returns the number of received ones. The
   * queue delivers the rest again after the visibility timeout.
   * @throws the queue's errors, and the reason of the signal
   */
  deliver(options: {
    readonly waitSeconds: number;
    readonly signal?: AbortSignal;
  }): Promise<number>;
  /** Delivers messages until it is stopped, and logs the queue's errors. */
  start(): void;
  /** Stops waiting immediately and lets running batches end. */
  stop(): Promise<void>;
}

/** Creates the event source of a queue, which `operations` run in this process unless SQS has it. */
export const createEventSource = (queueUrl: string, operations: Operations = {}): EventSource => {
  const client = new SQSClient({ endpoint: new URL(queueUrl).origin, maxAttempts: 1 });
  runInProcess(client, operations);
  const stopping = new AbortController();
  let loops: Promise<void>[] = [];

  /** Waits for messages, then receives further available ones up to the batch size. */
  const receive = async (waitSeconds: number, signal?: AbortSignal): Promise<Message[]> => {
    const received: Message[] = [];
    let lastCount = messagesPerRequest;
    while (lastCount === messagesPerRequest && received.length < batchSize) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: messagesPerRequest,
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
    const context = lambdaContext(randomUUID(), Date.now() + timeoutMs);
    const done = findCompleted(Records, await handler({ Records }, context));
    for (let at = 0; at < done.length; at += messagesPerRequest) {
      await client.send(
        new DeleteMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: done.slice(at, at + messagesPerRequest).map(({ messageId, receiptHandle }) => ({
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
        const count = await deliver({ waitSeconds: pollSeconds, signal });
        pauseMs = firstPauseMs;
        if (count < batchSize) await wait(gatheringMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        getLogger().warn('Job delivery failed', { error: serializeError(error) });
        await wait(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, maxPauseMs);
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
