import { queryMatches } from '../db/query.ts';
import { activityKeys } from './keys.ts';

/** Counters per day. Two batches of events may be counted concurrently. */
export const shards = 4;

/** Maximum number of days in one request: three months. */
export const maxDays = 93;

/** What an event can count as. */
export const counted = ['pageViews', 'views', 'signIns'] as const;

/** Activity on a day (UTC). */
export interface DayOfActivity {
  /** Such as `2026-11-21`. */
  readonly date: string;
  /** Sequences of half-hours in which a visitor opened pages of shares. Never more than page views. */
  readonly visits: number;
  /** Exact number of visitors that opened pages of shares. A visitor is a network and a browser. */
  readonly uniqueVisitors: number;
  /** How often a share page showed its content. A share with a limit or a password counts once per opening. */
  readonly pageViews: number;
  /** How often the content of a share was served, by API or on its page. */
  readonly views: number;
  readonly signIns: number;
}

const dayMs = 86_400_000;

/** Lists the last days (UTC), oldest first, including today. */
const lastDays = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.now() - (count - 1 - at) * dayMs).toISOString().slice(0, 10),
  );

/**
 * Lists the activity of the last 1 to 93 days (UTC), oldest first, including today. Takes four small concurrent
 * queries, independent of the number of visits. Recent events count once the jobs queue has delivered them.
 */
export const listDailyVisits = async (days: number): Promise<DayOfActivity[]> => {
  const wanted = lastDays(Math.min(Math.max(days, 1), maxDays));
  const read = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      queryMatches(
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': activityKeys.day.partition({ shard }).pk,
            ':from': wanted[0],
            ':to': wanted.at(-1),
          },
          ConsistentRead: true,
        },
        { matches: maxDays + 1, scanned: maxDays + 1 },
      ),
    ),
  );
  const items = read.flatMap((one) => one.items);
  return wanted.map((date) => {
    const ofDay = items.filter(({ sk }) => sk === date);
    const sum = (name: keyof DayOfActivity) =>
      ofDay.reduce((total, item) => total + ((item[name] as number | undefined) ?? 0), 0);
    return {
      date,
      visits: sum('visits'),
      uniqueVisitors: sum('uniqueVisitors'),
      pageViews: sum('pageViews'),
      views: sum('views'),
      signIns: sum('signIns'),
    };
  });
};
