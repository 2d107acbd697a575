import { withDeadline } from '../runtime/deadline.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getSetting } from '../runtime/settings.ts';
import { getLogger } from '../runtime/telemetry.ts';

/** What this process has not written yet, in billionths of a dollar. */
let pending = 0;
let writtenAt = 0;

/** A write costs 625 billionths. One for each of these parts of the limit is an eighth of a dollar a month at most. */
const partsOfLimit = 20_000;
/** After a minute, a tenth of such a part is written too. */
const slowMs = 60_000;
const slowPart = 0.1;

/** A request never waits longer for its price to be written. */
const maxMs = 500;

/** Returns from which amount (billionths of a dollar) on a process writes what it has metered: what it loses when it ends. */
export const getLargestLoss = (limit: number): number => (limit * 1e9) / partsOfLimit;

const isDue = (limit: number, now: number): boolean => {
  const part = getLargestLoss(limit);
  return pending >= part || (pending >= slowPart * part && now - writtenAt >= slowMs);
};

const write = async (now: number): Promise<void> => {
  const amount = pending;
  pending = 0;
  writtenAt = now;
  try {
    const { getMonth, writeMonth } = await import('./month.ts');
    await withDeadline(maxMs, (signal) => writeMonth(getMonth(now), { nanos: amount }, signal));
  } catch (error) {
    pending += amount;
    getLogger().warn('Spending not written', { error: serializeError(error) });
  }
};

/**
 * Adds the price of a request to what this month has cost, if there is a limit (decisions.md#spending-limit). It never fails the
 * request. A process that ends loses what it has not written. Bytes are counted only with a limit: a response may be long.
 */
export const meterRequest = async (endpoint: string, countBytes: () => number): Promise<void> => {
  const limit = getSetting('SPENDING_LIMIT');
  if (limit === undefined) return;
  const { getPrice } = await import('./price-list.ts');
  pending += getPrice(endpoint, countBytes());
  const now = Date.now();
  if (writtenAt === 0) writtenAt = now;
  if (isDue(limit, now)) await write(now);
};
