import type { Readable } from 'node:stream';
import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { dynamoDbClient } from '../../../shared/db/dynamodb.ts';

/** What goes wrong with a try of a transaction: it is not heard of, or it takes place and its answer is lost. */
export type Fault = 'throttled' | 'lost';

/**
 * Lets the tries of transactions, or of the requests that are named, go wrong from now on: each takes the next of these, and goes well where none is left.
 * The SDK tries again, up to three times in all.
 */
export const useFaults = (
  operations: readonly string[] = ['TransactWriteItems'],
): ((next: readonly (Fault | undefined)[]) => void) => {
  let faults: (Fault | undefined)[] = [];
  const name = 'faults';
  beforeAll(() => {
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
        // Nobody reads it, and its connection, where it came by one, would stay taken.
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
