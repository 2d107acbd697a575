import type { Key } from '../../../../shared/db/key.ts';
import { type ListQuery, queryMatches } from '../../../../shared/db/query.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import {
  type DurationBucket,
  durationBuckets,
  type EventIndexEntry,
  forever,
  parseEntry,
  toSortKeyTime,
} from './index-entries.ts';
import { eventKeys } from './keys.ts';

/** The most recurring events of a user that one query of the calendar considers. */
const maxSeries = 500;
/** The most entries read per bucket, including those that end before the window. */
const maxScanned = 10_000;

/** All events are in between (see schedule.ts). Years beyond would not sort as keys. */
const [earliest, latest] = [Date.UTC(1890, 0), Date.UTC(2210, 0)];

const clamp = (time: SortableTime): SortableTime => Math.min(latest, Math.max(earliest, time));

/** Returns the query of the entries between two keys that end late or start early enough. */
const queryBetween = (
  low: Key,
  high: Key,
  [field, operator, time]: ['over', '>=', SortableTime] | ['first', '<', SortableTime],
): ListQuery => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
  FilterExpression: `#field ${operator} :time`,
  ExpressionAttributeNames: { '#field': field },
  ExpressionAttributeValues: { ':pk': low.pk, ':low': low.sk, ':high': high.sk, ':time': time },
  ConsistentRead: true,
});

const singleEventsQuery = (
  userId: number,
  lasting: DurationBucket,
  from: SortableTime,
  to: SortableTime,
): ListQuery => {
  const keyAt = (time: SortableTime) =>
    eventKeys.single.prefix({ userId, lasting, start: toSortKeyTime(clamp(time)) });
  return queryBetween(keyAt(from - durationBuckets[lasting]), keyAt(to), ['over', '>=', from]);
};

const recurringEventsQuery = (userId: number, from: SortableTime, to: SortableTime): ListQuery => {
  const keyAt = (overAt: string) => eventKeys.recurring.prefix({ userId, overAt });
  const [low, high] = [keyAt(toSortKeyTime(clamp(from))), keyAt(`${forever}~`)];
  return queryBetween(low, high, ['first', '<', to]);
};

/**
 * Returns the ids of the events that may have an occurrence in a range: the earliest `count` single events and all
 * recurring ones. `isWhole` says whether these are all; `userIds` are the users known from the index entries.
 */
export const readIndexEntries = async (
  userId: number,
  from: SortableTime,
  to: SortableTime,
  count: number,
): Promise<{
  readonly ids: readonly number[];
  readonly userIds: readonly number[];
  readonly isWhole: boolean;
}> => {
  const bound = { matches: count, scanned: maxScanned };
  const names = Object.keys(durationBuckets) as DurationBucket[];
  const [series, ...singles] = await Promise.all([
    queryMatches(recurringEventsQuery(userId, from, to), {
      matches: maxSeries + 1,
      scanned: maxScanned,
    }),
    ...names.map((bucket) => queryMatches(singleEventsQuery(userId, bucket, from, to), bound)),
  ]);
  const startOf = ({ sk }: EventIndexEntry) => sk.slice(sk.indexOf('#') + 1);
  const entries = singles
    .flatMap(({ items }) => items.map(parseEntry))
    .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  const recurring = series.items.map(parseEntry);
  const shown = [...entries.slice(0, count), ...recurring.slice(0, maxSeries)];
  return {
    ids: [...new Set(shown.map(({ id }) => id))],
    userIds: shown.flatMap(({ ownerId, attendeeIds = [] }) =>
      ownerId === userId ? attendeeIds : [ownerId, userId],
    ),
    isWhole:
      singles.every(({ isWhole }) => isWhole) &&
      entries.length <= count &&
      series.isWhole &&
      series.items.length <= maxSeries,
  };
};
