import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const firstBoundMs = 40;

/** How long to wait (ms) after a failed try, counted from 1: full jitter below a bound that doubles from 40 ms. */
export const getBackoffMs = (attempt: number): number =>
  randomInt(firstBoundMs * 2 ** (attempt - 1));

/** Waits as long as `pauseAfter` says. */
export const backOff = async (attempt: number): Promise<void> => {
  await wait(getBackoffMs(attempt));
};
