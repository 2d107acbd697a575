import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const firstBoundMs = 40;

/**
 * Returns the pause in ms after a failed attempt, counted from 1: full jitter up to a limit that doubles from 40 ms.
 */
export const getBackoffMs = (attempt: number): number =>
  randomInt(firstBoundMs * 2 ** (attempt - 1));

/** Waits for some ms. */
export const pause = async (ms: number): Promise<void> => {
  await wait(ms);
};

/** Waits for the time of `getBackoffMs`. */
export const backOff = async (attempt: number): Promise<void> => {
  await wait(getBackoffMs(attempt));
};
