import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamoDbClient } from '../../../../shared/db/dynamodb.ts';
import { loadBucket } from '../../../../shared/storage/bucket.ts';

/** Where a process dies: at its nth call of AWS, before it arrives or after it was carried out. */
export interface CrashPoint {
  readonly nth: number;
  readonly isAfter: boolean;
}

/** What a process that died throws. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

interface Running extends CrashPoint {
  calls: number;
}

const running = new AsyncLocalStorage<Running>();

type Next = (args: object) => Promise<object>;

/** Fails the call that a process dies at, and all that follow. */
const crash =
  (next: Next): Next =>
  async (args) => {
    const one = running.getStore();
    if (!one) return next(args);
    one.calls += 1;
    if (one.calls < one.nth) return next(args);
    if (one.calls === one.nth && one.isAfter) await next(args);
    throw new Crash();
  };

/** Lets processes of this file die. */
export const allowCrashes = async (): Promise<void> => {
  const { client } = await loadBucket();
  const options = { step: 'initialize', priority: 'high', name: 'crash' } as const;
  dynamoDbClient().middlewareStack.add(crash as never, options);
  client.middlewareStack.add(crash as never, options);
};

/** Runs work in a process that dies at a point of it, if any. */
export const runUntil = <Result>(
  point: CrashPoint | undefined,
  work: () => Promise<Result>,
): Promise<Result> => (point ? running.run({ ...point, calls: 0 }, work) : work());
