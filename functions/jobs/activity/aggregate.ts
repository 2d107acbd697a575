import { randomInt } from 'node:crypto';
import { counted, type DayOfActivity, shards } from '../../../shared/activity/days.ts';
import { activityKeys } from '../../../shared/activity/keys.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { enqueueAll } from '../../../shared/jobs/enqueue-all.ts';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';
import { backOff } from '../../../shared/runtime/backoff.ts';
import { webhookEvent } from '../../../shared/webhooks/jobs.ts';
import { toViewId } from '../../api/share/record/view-ids.ts';
import { countPageViews } from '../../api/share/record/views.ts';
import { visitKeys } from './keys.ts';
import {
  type ActivityEvent,
  addToVisitor,
  listUncounted,
  toEventName,
  type VisitorEvents,
} from './visitors.ts';

/**
 * Fits the counters of the day into the same transaction.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const visitorsPerWrite = 99;

/** Concurrent batches may have events of the same visitor. */
const maxAttempts = 12;
/** Pauses grow until this attempt, to a third of a second. */
const maxBackOffAttempt = 5;

/** Reports events that failed, which are delivered again. */
type Fail = (events: readonly ActivityEvent[], error: unknown) => void;

const getDay = ({ data: { at } }: ActivityEvent): string => at.slice(0, 10);

const sum = <T>(all: readonly T[], toNumber: (one: T) => number): number =>
  all.reduce((total, one) => total + toNumber(one), 0);

const addToDay = (day: string, counters: Partial<Omit<DayOfActivity, 'date'>>): Write => {
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
      // Ids derived from the events, so that repeated ones don't count twice.
      const viewIds = own.map(({ name }) => toViewId(name));
      await countPageViews(share, viewIds).catch((error) => fail(own, error));
    }),
  );
};

/** Counts uncounted events of visitors on a day. Returns false if a visitor has changed since it was read. */
const tryCount = async (
  day: string,
  visitors: readonly VisitorEvents[],
  items: readonly (Item | undefined)[],
): Promise<boolean> => {
  const changes = visitors.flatMap((visitor, at) =>
    visitor.events.length > 0 ? [addToVisitor(visitor, items[at])] : [],
  );
  if (changes.length === 0) return true;
  const events = visitors.flatMap((visitor) => visitor.events);
  const counts = counted.map((name) => [
    name,
    events.filter(({ data }) => data.counts.includes(name)).length,
  ]);
  const refused = await transact([
    ...changes.map(({ write }) => ({ write, refused: 'changed' as const })),
    addToDay(day, {
      ...Object.fromEntries(counts),
      visits: sum(changes, ({ visits }) => visits),
      uniqueVisitors: sum(changes, ({ uniqueVisitors }) => uniqueVisitors),
    }),
  ]);
  return refused === undefined;
};

/** Counts the events of some visitors on a day, each once (decisions.md#dashboard). */
const countVisitors = async (
  day: string,
  visitors: readonly VisitorEvents[],
  fail: Fail,
): Promise<void> => {
  const failed = new Set<ActivityEvent>();
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const items = await batchGet(visitors.map(({ key }) => key));
    const uncounted = visitors.map((visitor, at) => listUncounted(visitor.events, items[at]));
    if (attempt === 1) {
      // Before the transaction, after which a repeated event counts no more.
      await countShareViews(uncounted.flat(), (own, error) => {
        for (const one of own) failed.add(one);
        fail(own, error);
      });
      // Told again, it is the same event.
      const told = uncounted.flat().filter((one) => !failed.has(one));
      await enqueueAll(
        webhookEvent,
        told.flatMap(({ data }) => data.event ?? []),
      );
    }
    const pending = visitors.map(({ key }, at) => ({
      key,
      events: uncounted[at]?.filter((one) => !failed.has(one)) ?? [],
    }));
    if (await tryCount(day, pending, items)) return;
    await backOff(Math.min(attempt, maxBackOffAttempt));
  }
  throw new Error('Too many concurrent writes to visitors');
};

/**
 * Counts activity by day, and views by share. Returns the errors by the ids of the messages that failed. Each message is
 * counted once, however often and in whichever batch it is delivered (decisions.md#dashboard).
 */
export const aggregateActivity = async (
  messages: readonly JobMessage<ActivityEvent['data']>[],
): Promise<ReadonlyMap<string, unknown>> => {
  const failed = new Map<string, unknown>();
  const fail: Fail = (own, error) => {
    for (const { id } of own) failed.set(id, error);
  };
  const events = messages.map(({ id, data }) => ({
    id,
    name: toEventName(data.claim ?? id),
    data,
  }));
  const once = [...new Map(events.map((one) => [one.name, one])).values()];
  const groups = [...Map.groupBy(once, getDay)].flatMap(([day, own]) => {
    const byVisitor = Map.groupBy(own, ({ data }) => data.visitor);
    const visitors = [...byVisitor].map(([id, list]) => ({
      key: visitKeys.visitor.at({ day, visitor: id }),
      events: list,
    }));
    return Array.from({ length: Math.ceil(visitors.length / visitorsPerWrite) }, (_, at) => ({
      day,
      visitors: visitors.slice(at * visitorsPerWrite, (at + 1) * visitorsPerWrite),
    }));
  });
  await Promise.all(
    groups.map(({ day, visitors }) =>
      countVisitors(day, visitors, fail).catch((error) =>
        fail(
          visitors.flatMap((visitor) => visitor.events),
          error,
        ),
      ),
    ),
  );
  return failed;
};
