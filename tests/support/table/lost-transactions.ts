import type { Readable } from 'node:stream';
import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { dynamoDbClient } from '../../../shared/db/dynamodb.ts';
import { sendRequests } from '../service/direct-calls.ts';

/** The failure of a transaction attempt: its request is lost, or its response. */
export type Fault = 'throttled' | 'lost';

/** Lets the client repeat failed attempts at once: after throttled ones, it pauses for a second and more. */
const repeatAtOnce = async (): Promise<void> => {
  const backoff = { setDelayBase: () => undefined, computeNextBackoffDelay: () => 0 };
  const strategy = await dynamoDbClient().config.retryStrategy();
  Object.assign(strategy, { retryBackoffStrategy: backoff });
};

/**
 * Makes attempts of transactions, or of the named requests, fail from now on: each uses the next failure, until none is
 * left. The SDK makes up to three attempts.
 */
export const useFaults = (
  operations: readonly string[] = ['TransactWriteItems'],
): ((next: readonly (Fault | undefined)[]) => void) => {
  let faults: (Fault | undefined)[] = [];
  const name = 'faults';
  beforeAll(async () => {
    sendRequests();
    await repeatAtOnce();
    dynamoDbClient().middlewareStack.add(
      (next) => async (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        const [, operation = ''] = String(headers['x-amz-target']).split('.');
        if (!operations.includes(operation)) return next(args);
        const fault = faults.shift();
        if (fault === 'throttled') {
          throw new ThrottlingException({ message: 'Busy', $metadata: { httpStatusCode: 400 } });
        }
        const response = await next(args);
        if (fault !== 'lost') return response;
        // Discards the unread response; otherwise its connection would stay in use.
        (response.response as { body: Partial<Readable> }).body.destroy?.();
        throw Object.assign(new Error('No answer'), { name: 'TimeoutError' });
      },
      { step: 'deserialize', priority: 'low', name },
    );
  });
  afterAll(() => void dynamoDbClient().middlewareStack.remove(name));
  return (next) => {
    faults = [...next];
  };
};
