import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { QueueDoesNotExist } from '@aws-sdk/client-sqs';
import type { Operation, Operations } from '../host/in-process.ts';

/** Settings of a queue. Messages received too often move to the queue of dead letters. */
export interface QueueSettings {
  readonly retentionSeconds: number;
  readonly visibilitySeconds: number;
  readonly deadLetters?: { readonly queue: string; readonly maxReceiveCount: number };
}

/** Tests replace the global timers. */
const { setImmediate } = globalThis;

/** A local SQS. */
export interface QueueEngine {
  readonly operations: Operations;
  close(): void;
}

const baseUrl = 'http://sqs.invalid/000000000000/';

/** Returns the URL of a queue, which no network request reaches. */
export const localQueueUrl = (name: string): string => `${baseUrl}${name}`;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const limits = { messages: 10, bytes: 1_024 * 1_024, delaySeconds: 900, waitSeconds: 20 } as const;

const assertWithin = (name: string, value: number, min: number, max: number): void => {
  if (value < min || value > max) throw new RangeError(`${name} must be from ${min} to ${max}`);
};

// A disk sync per message would take longer than most requests: a kill loses no message, only a power failure may.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    position INTEGER PRIMARY KEY, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, sentAt INTEGER NOT NULL,
    dueAt INTEGER NOT NULL, receiveCount INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messagesByDueTime ON messages (queue, dueAt);`;

const md5 = (text: unknown): string => createHash('md5').update(String(text)).digest('hex');

/**
 * Opens queues in a file, created if missing.
 * @throws the errors of SQLite, such as for a corrupt file
 */
export const openQueues = (
  path: string,
  queues: Readonly<Record<string, QueueSettings>>,
): QueueEngine => {
  const database = new DatabaseSync(path);
  database.exec(schema);
  const insert = database.prepare(
    `INSERT INTO messages (queue, id, body, sentAt, dueAt)
     SELECT ?, value ->> 'MessageId', value ->> 'MessageBody', ?, value ->> 'dueAt' FROM json_each(?)`,
  );
  const bury = database.prepare(
    'UPDATE messages SET queue = ?, dueAt = ?, receiveCount = receiveCount - 1 WHERE position = ?',
  );
  const receive = database.prepare(
    `UPDATE messages SET dueAt = ?, receiveCount = receiveCount + 1 WHERE position IN
     (SELECT position FROM messages WHERE queue = ? AND dueAt <= ? ORDER BY dueAt, position LIMIT ?) RETURNING *`,
  );
  const findNext = database.prepare('SELECT min(dueAt) AS dueAt FROM messages WHERE queue = ?');
  const count = database.prepare(
    `SELECT coalesce(sum(dueAt <= :now), 0) AS due, coalesce(sum(dueAt > :now AND receiveCount > 0), 0) AS received,
     coalesce(sum(dueAt > :now AND receiveCount = 0), 0) AS delayed FROM messages WHERE queue = :queue`,
  );
  // A position may be used again.
  const remove = database.prepare(
    'DELETE FROM messages WHERE position = ? AND id = ? AND receiveCount = ? AND queue = ?',
  );
  const expire = database.prepare('DELETE FROM messages WHERE queue = ? AND sentAt < ?');
  // The process that received them has ended.
  database.exec('UPDATE messages SET dueAt = 0 WHERE receiveCount > 0');
  const sent = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  let committing: Promise<void> | undefined;

  const commit = async (): Promise<void> => {
    await new Promise((resolve) => void setImmediate(resolve));
    committing = undefined;
    if (!database.isOpen) return;
    try {
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  /** Changes messages. The changes of one turn of the event loop are stored together, which takes as long as one. */
  const change = async <Result>(run: () => Result): Promise<Result> => {
    if (!committing) {
      database.exec('BEGIN');
      committing = commit();
      // Each change reports the error.
      committing.catch(() => {});
    }
    const committed = committing;
    const result = run();
    await committed;
    return result;
  };

  const expireAll = () => {
    for (const [name, { retentionSeconds }] of Object.entries(queues)) {
      expire.run(name, Date.now() - 1_000 * retentionSeconds);
    }
  };
  expireAll();

  const send = async (
    name: string,
    entries: readonly { Id?: string; MessageBody: string; DelaySeconds?: number }[],
  ) => {
    assertWithin('The number of messages', entries.length, 1, limits.messages);
    const bytes = entries.reduce((sum, { MessageBody: body }) => sum + Buffer.byteLength(body), 0);
    assertWithin('The bytes of the messages', bytes, entries.length, limits.bytes);
    const now = Date.now();
    const messages = entries.map(({ Id, MessageBody, DelaySeconds = 0 }) => {
      assertWithin('DelaySeconds', DelaySeconds, 0, limits.delaySeconds);
      return { Id, MessageBody, MessageId: randomUUID(), dueAt: now + 1_000 * DelaySeconds };
    });
    await change(() => insert.run(name, now, JSON.stringify(messages)));
    sent.emit(name);
    return messages.map(({ Id, MessageId, MessageBody }) => ({
      Id,
      MessageId,
      MD5OfMessageBody: md5(MessageBody),
    }));
  };

  const take = (name: string, count: number) => {
    const { visibilitySeconds, deadLetters } = queues[name] as QueueSettings;
    const now = Date.now();
    const received = receive.all(now + 1_000 * visibilitySeconds, name, now, count);
    if (received.length === 0) expireAll();
    return received.flatMap(({ position, id, body, sentAt, receiveCount }) => {
      if (deadLetters && Number(receiveCount) > deadLetters.maxReceiveCount) {
        bury.run(deadLetters.queue, now, position ?? null);
        return [];
      }
      return {
        MessageId: id,
        ReceiptHandle: `${position} ${id} ${receiveCount}`,
        Body: body,
        MD5OfBody: md5(body),
        Attributes: { SentTimestamp: `${sentAt}`, ApproximateReceiveCount: `${receiveCount}` },
      };
    });
  };

  /** Waits until a message is sent or due, or for `ms`. */
  const waitForMessages = async (name: string, ms: number, abortSignal?: AbortSignal) => {
    const { dueAt } = findNext.get(name) ?? {};
    const dueMs = dueAt ? Math.max(0, Number(dueAt) - Date.now()) : ms;
    const signals = [AbortSignal.timeout(Math.min(ms, dueMs)), closing.signal, abortSignal];
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    await once(sent, name, { signal }).catch(() => abortSignal?.throwIfAborted());
  };

  /** Creates an operation of these queues. Other queues are reached at their URL. */
  const operation =
    (run: (name: string, ...args: Parameters<Operation>) => unknown): Operation =>
    (input, abortSignal) => {
      if (!String(input.QueueUrl).startsWith(baseUrl)) return undefined;
      const name = input.QueueUrl.slice(baseUrl.length);
      return (async () => {
        if (name in queues) return (await run(name, input, abortSignal)) as object;
        throw new QueueDoesNotExist({ message: `No queue ${name}`, $metadata: {} });
      })();
    };

  return {
    operations: {
      SendMessageCommand: operation(async (name, input) => (await send(name, [input]))[0]),
      SendMessageBatchCommand: operation(async (name, { Entries }) => ({
        Successful: await send(name, Entries),
      })),
      ReceiveMessageCommand: operation(async (name, input, abortSignal) => {
        const { MaxNumberOfMessages: count = 1, WaitTimeSeconds: seconds = 0 } = input;
        assertWithin('MaxNumberOfMessages', count, 1, limits.messages);
        assertWithin('WaitTimeSeconds', seconds, 0, limits.waitSeconds);
        const end = performance.now() + 1_000 * seconds;
        for (;;) {
          const Messages = closing.signal.aborted ? [] : await change(() => take(name, count));
          const leftMs = Math.ceil(end - performance.now());
          if (Messages.length > 0 || leftMs <= 0 || closing.signal.aborted) return { Messages };
          await waitForMessages(name, leftMs, abortSignal);
        }
      }),
      GetQueueAttributesCommand: operation(async (queue) => {
        const { due, received, delayed } = count.get({ queue, now: Date.now() }) ?? {};
        const { deadLetters } = queues[queue] as QueueSettings;
        const policy = deadLetters && {
          deadLetterTargetArn: `arn:aws:sqs:local:000000000000:${deadLetters.queue}`,
          maxReceiveCount: deadLetters.maxReceiveCount,
        };
        return {
          Attributes: {
            ApproximateNumberOfMessages: String(due),
            ApproximateNumberOfMessagesNotVisible: String(received),
            ApproximateNumberOfMessagesDelayed: String(delayed),
            ...(policy && { RedrivePolicy: JSON.stringify(policy) }),
          },
        };
      }),
      DeleteMessageBatchCommand: operation(async (name, { Entries }) => {
        const entries: { Id: string; ReceiptHandle: string }[] = Entries;
        await change(() => {
          for (const { ReceiptHandle } of entries) remove.run(...ReceiptHandle.split(' '), name);
        });
        return { Successful: entries.map(({ Id }) => ({ Id })) };
      }),
    },
    close() {
      closing.abort();
      if (database.isTransaction) database.exec('COMMIT');
      database.close();
    },
  };
};
