import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import {
  localQueueUrl,
  openQueues,
  type QueueEngine,
} from '../../../infra/local/aws/queue/queue.ts';
import { queueNames, queueSettings } from '../../../infra/local/jobs/queues.ts';
import type { JobQueue } from '../../../shared/jobs/job-queue.ts';

/** The queues of the local run with access to their messages. */
export interface TestQueues {
  readonly engine: QueueEngine;
  /** Returns the bodies of a queue's messages, delivered or not. */
  bodies(queue: string): string[];
  /** Deletes all messages. */
  purge(): void;
  close(): void;
}

/** Opens queues in a temporary folder. */
export const openTestQueues = (): TestQueues => {
  const folder = mkdtempSync(join(tmpdir(), 'queues-'));
  const path = join(folder, 'jobs.sqlite');
  const engine = openQueues(path, queueSettings);
  const database = new DatabaseSync(path);
  return {
    engine,
    bodies: (queue) =>
      database
        .prepare('SELECT body FROM messages WHERE queue = ? ORDER BY position')
        .all(queue)
        .map(({ body }) => String(body)),
    purge: () => database.exec('DELETE FROM messages'),
    close() {
      engine.close();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** A server that speaks SQS's protocol, so that its requests can be metered, and fail on the way. */
export interface QueueServer {
  readonly endpoint: string;
  /** The URLs of the queues of jobs. */
  readonly urls: Readonly<Record<JobQueue, string>>;
  close(): Promise<void>;
}

/** Serves queues without checks on a port of 127.0.0.1, by default any free one. */
export const serveQueues = async ({ operations }: QueueEngine, port = 0): Promise<QueueServer> => {
  let endpoint = '';
  const urlOf = (name: string) => `${endpoint}/000000000000/${name}`;
  const run = async (operation: string, input: Record<string, string>): Promise<unknown> => {
    if (operation === 'GetQueueUrl') return { QueueUrl: urlOf(String(input['QueueName'])) };
    const name = input['QueueUrl']?.split('/').at(-1) ?? '';
    if (operation === 'GetQueueAttributes' && input['AttributeNames']?.includes('QueueArn')) {
      return { Attributes: { QueueArn: `arn:aws:sqs:us-east-1:000000000000:${name}` } };
    }
    return operations[`${operation}Command`]?.(
      { ...input, QueueUrl: localQueueUrl(name) },
      undefined,
    );
  };
  const server = createServer(async (request, response) => {
    try {
      const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
      const output = await run(operation, (await json(request)) as Record<string, string>);
      response.writeHead(200).end(JSON.stringify(output));
    } catch (error) {
      const { name, message } = error as Error;
      response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.sqs#${name}`, message }));
    }
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    urls: {
      mail: urlOf(queueNames.mail),
      activity: urlOf(queueNames.activity),
      work: urlOf(queueNames.work),
      hooks: urlOf(queueNames.hooks),
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
