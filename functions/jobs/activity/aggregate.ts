import { randomInt } from 'node:crypto';
import { counted, type DayOfActivity, shards } from '../../../shared/activity/days.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';
import { backOff } from '../../../shared/runtime/backoff.ts';
import { countPageViews } from '../../api/share/record/access-state.ts';
import { toViewId } from '../../api/share/record/view-ids.ts';
import {
  type Activity,
  type ActivityEvent,
  getDay,
  listEvents,
  tenMinuteWindow,
} from './activity-event.ts';
import { addToLedger, type Ledger, readLedger } from './ledger.ts';
import { type NewSlot, recordVisitors } from './visitors.ts';

/** Two batches are counted at once; those of an outage's end may meet more often. */
const maxTries = 12;
/** Pauses grow up to this try: a third of a second. */
const longestBackOff = 5;

type Counters = Omit<DayOfActivity, 'date'>;

/** Happenings that fail are told of again. */
type Fail = (own: readonly ActivityEvent[], error: unknown) => void;

/** How often each of them is counted. */
const tally = (events: readonly ActivityEvent[]): Partial<Counters> =>
  Object.fromEntries(
    counted.map((name) => [
      name,
      events.filter(({ data: { counts } }) => counts.includes(name)).length,
    ]),
  );

const addToDay = (day: string, counters: Partial<Counters>): Write => {
  const moved = Object.entries(counters).filter(([, delta]) => delta !== 0);
  return {
    Update: {
      TableName: tableName(),
      Key: keys.dailyActivity(day, randomInt(shards)),
      UpdateExpression: `ADD ${moved.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(moved.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        moved.map(([name, delta]) => [`:${name}`, delta]),
      ),
    },
  };
};

/** Counts those that are views of shares without a limit into their shares. */
const countIntoShares = async (events: readonly ActivityEvent[], fail: Fail): Promise<void> => {
  const ofShares = Map.groupBy(events, ({ data }) => data.share);
  await Promise.all(
    [...ofShares].map(async ([share, own]) => {
      if (share === undefined) return;
      // Named by their messages, so that they are known when those come again.
      const claims = own.map(({ id }) => toViewId(id));
      await countPageViews(share, claims).catch((error) => fail(own, error));
    }),
  );
};

/** Writes down who was active; answers what of that is to be counted along with single happenings. */
const recordAllVisitors = async (
  events: readonly ActivityEvent[],
  fail: Fail,
): Promise<NewSlot[]> => {
  const met = await recordVisitors(events);
  return met.flatMap(({ own, outcome }) => {
    if (outcome.status === 'fulfilled') return outcome.value ?? [];
    fail(own, outcome.reason);
    return [];
  });
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * Counts happenings of ten minutes, each once: what their ledger names was counted, and all that is counted of them here
 * is counted together with adding their names to it. Whatever is written before that may be written again.
 */
const countSpan = async (
  span: string,
  events: readonly ActivityEvent[],
  fail: Fail,
): Promise<void> => {
  const failed = new Set<ActivityEvent>();
  const failing: Fail = (own, error) => {
    for (const one of own) failed.add(one);
    fail(own, error);
  };
  const uncounted = (ledger: Ledger) =>
    events.filter((one) => !failed.has(one) && !ledger.counted.has(one.name));

  let ledger = await readLedger(span);
  const fresh = uncounted(ledger);
  if (fresh.length === 0) return;
  const [arrivals] = await Promise.all([
    recordAllVisitors(fresh, failing),
    countIntoShares(fresh, failing),
  ]);
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const rest = uncounted(ledger);
    const [first] = rest;
    if (!first) return;
    const arrived = arrivals.filter(({ bringer }) => rest.includes(bringer));
    const conflict = await transact({
      ledger: addToLedger(
        span,
        ledger,
        rest.map(({ name }) => name),
      ),
      day: addToDay(getDay(first), {
        ...tally(rest),
        visits: sum(arrived.map(({ visits }) => visits)),
        uniqueVisitors: arrived.filter(({ isFirst }) => isFirst).length,
      }),
    });
    if (!conflict) return;
    // Another batch was faster, which may have had some of these.
    await backOff(Math.min(attempt, longestBackOff));
    ledger = await readLedger(span);
  }
  throw new Error('Other batches were faster each time');
};

/**
 * Counts what happened: into its day, and a view into its share. Answers what failed by the ids of the messages, which
 * may be delivered again at any time and in other batches: each is counted once.
 */
export const aggregateActivity = async (
  messages: readonly JobMessage<Activity>[],
): Promise<ReadonlyMap<string, unknown>> => {
  const failed = new Map<string, unknown>();
  const fail: Fail = (own, error) => {
    for (const { id } of own) failed.set(id, error);
  };
  // One after another: most batches are of one span or two, and of one day, whose counters they move.
  for (const [span, own] of Map.groupBy(listEvents(messages), tenMinuteWindow)) {
    await countSpan(span, own, fail).catch((error) => fail(own, error));
  }
  return failed;
};
