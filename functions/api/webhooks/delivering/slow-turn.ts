import { randomInt } from 'node:crypto';
import { withLease } from '../../../../shared/jobs/lease.ts';
import { DeferredError } from '../../../../shared/runtime/deferred.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';

/** How long a webhook waits for its turn (seconds), spread so that not all come at once. */
const waitSeconds = { least: 10, most: 40 };

/** What this process holds together: those who are in, and what ends it. */
interface Turn {
  users: number;
  readonly isTaken: Promise<boolean>;
  readonly leave: () => void;
}

let current: Turn | undefined;

/**
 * Takes one of the leases of slow webhooks. There is one less than batches run at once, so that a batch is always free of them:
 * emails and quick webhooks wait for no slow host.
 */
const takeLease = async (over: Promise<void>, onTaken: () => void): Promise<void> => {
  const count = Math.max(1, getSetting('WEBHOOK_CONCURRENCY') - 1);
  const first = randomInt(count);
  for (let at = 0; at < Math.min(count, 3); at++) {
    const held = await withLease(`webhooks-slow-${(first + at) % count}`, async () => {
      onTaken();
      await over;
      return true;
    });
    if (held) return;
  }
};

const enter = (): Turn => {
  if (current) {
    current.users++;
    return current;
  }
  const { promise: over, resolve: leave } = Promise.withResolvers<void>();
  const { promise: isTaken, resolve, reject } = Promise.withResolvers<boolean>();
  takeLease(over, () => resolve(true)).then(() => resolve(false), reject);
  current = { users: 1, isTaken, leave };
  return current;
};

const exit = (turn: Turn): void => {
  turn.users--;
  if (turn.users > 0) return;
  turn.leave();
  if (current === turn) current = undefined;
};

/**
 * Runs work that may wait for a slow host, beside that of this process, unless too many other processes do.
 * @throws DeferredError then; what the table throws
 */
export const inSlowTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const turn = enter();
  try {
    if (await turn.isTaken) return await work();
  } finally {
    exit(turn);
  }
  throw new DeferredError(
    'Other slow webhooks are being called',
    randomInt(waitSeconds.least, waitSeconds.most),
  );
};
