import { randomInt } from 'node:crypto';
import { counted, type DayOfActivity, shards } from '../../../shared/activity/days.ts';
import { activityKeys } from '../../../shared/activity/keys.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';
import { backOff } from '../../../shared/runtime/backoff.ts';
import { countPageViews } from '../../api/share/record/access-state.ts';
import { toViewId } from '../../api/share/record/view-ids.ts';
import {
  type Activity,
  type ActivityEvent,
  getDay,
  getTenMinuteWindow,
  listEvents,
} from './activity-event.ts';
import { addToLedger, type Ledger, readLedger } from './ledger.ts';
import { type NewSlot, recordVisitors } from './visitors.ts';

/** Two batches run concurrently; after an outage they conflict more often. */
const maxAttempts = 12;
/** Pauses grow until this attempt, to a third of a second. */
const maxBackOffAttempt = 5;

type Counters = Omit<DayOfActivity, 'date'>;

/** Reports events that failed, which are delivered again. */
type Fail = (events: readonly ActivityEvent[], error: unknown) => void;

/** Counts the events by counter. */
const tally = (events: readonly ActivityEvent[]): Partial<Counters> =>
  Object.fromEntries(
    counted.map((name) => [
      name,
      events.filter(({ data: { counts } }) => counts.includes(name)).length,
    ]),
  );

const addToDay = (day: string, counters: Partial<Counters>): Write => {
  const changed = Object.entries(counters).filter(([, delta]) => delta !== 0);
  return {
    Update: {
      TableName: tableName(),
      Key: activityKeys.day.at({ day, shard: randomInt(shards) }),
      UpdateExpression: `ADD ${changed.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(changed.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        changed.map(([name, delta]) => [`:${name}`, delta]),
      ),
    },
  };
};

/** Adds views of shares without a view limit to their shares. */
const countShareViews = async (events: readonly ActivityEvent[], fail: Fail): Promise<void> => {
  const byShare = Map.groupBy(events, ({ data }) => data.share);
  await Promise.all(
    [...byShare].map(async ([share, own]) => {
      if (share === undefined) return;
      // Ids derived from the messages, so that repeated messages don't count twice.
      const viewIds = own.map(({ id }) => toViewId(id));
      await countPageViews(share, viewIds).catch((error) => fail(own, error));
    }),
  );
};

/** Records the visitors. Returns their new half hours, which are counted with the events that caused them. */
const recordAllVisitors = async (
  events: readonly ActivityEvent[],
  fail: Fail,
): Promise<NewSlot[]> => {
  const outcomes = await recordVisitors(events);
  return outcomes.flatMap(({ events: own, outcome }) => {
    if (outcome.status === 'fulfilled') return outcome.value ?? [];
    fail(own, outcome.reason);
    return [];
  });
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * Counts the events of ten minutes, each once: one transaction updates the counters and adds the events to the ledger. The
 * writes before it are repeatable.
 */
const countWindow = async (
  window: string,
  events: readonly ActivityEvent[],
  fail: Fail,
): Promise<void> => {
  const failed = new Set<ActivityEvent>();
  const reportFailure: Fail = (own, error) => {
    for (const one of own) failed.add(one);
    fail(own, error);
  };
  const listUncounted = (ledger: Ledger) =>
    events.filter((one) => !failed.has(one) && !ledger.counted.has(one.name));

  let ledger = await readLedger(window);
  const pending = listUncounted(ledger);
  if (pending.length === 0) return;
  const [newSlots] = await Promise.all([
    recordAllVisitors(pending, reportFailure),
    countShareViews(pending, reportFailure),
  ]);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const remaining = listUncounted(ledger);
    const [first] = remaining;
    if (!first) return;
    const countedSlots = newSlots.filter(({ event }) => remaining.includes(event));
    const conflict = await transact({
      ledger: addToLedger(
        window,
        ledger,
        remaining.map(({ name }) => name),
      ),
      day: addToDay(getDay(first), {
        ...tally(remaining),
        visits: sum(countedSlots.map(({ visits }) => visits)),
        uniqueVisitors: countedSlots.filter(({ isFirst }) => isFirst).length,
      }),
    });
    if (!conflict) return;
    // A concurrent batch has changed the ledger, and may have counted some of these events.
    await backOff(Math.min(attempt, maxBackOffAttempt));
    ledger = await readLedger(window);
  }
  throw new Error('Too many concurrent writes to the ledger');
};

/**
 * Counts activity by day, and views by share. Returns the errors by the ids of the messages that failed. Each message is
 * counted once, however often and in whichever batch it is delivered.
 */
export const aggregateActivity = async (
  messages: readonly JobMessage<Activity>[],
): Promise<ReadonlyMap<string, unknown>> => {
  const failed = new Map<string, unknown>();
  const fail: Fail = (own, error) => {
    for (const { id } of own) failed.set(id, error);
  };
  // Sequential: most batches cover one or two windows of a day, and would conflict on its counters.
  for (const [window, own] of Map.groupBy(listEvents(messages), getTenMinuteWindow)) {
    await countWindow(window, own, fail).catch((error) => fail(own, error));
  }
  return failed;
};
