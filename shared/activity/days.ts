import { keys } from '../db/table.ts';
import { queryMatches } from '../lists/pagination.ts';

/** How many counters a day has: batches of happenings are counted by two at once. */
export const shards = 4;

/** The most days that can be asked for at once: three months have that many at most, with the current one. */
export const maxDays = 93;

/** What is counted of a happening, whoever it is by. */
export const counted = ['pageViews', 'views', 'signIns'] as const;

/** What happened on a day (UTC). */
export interface DayOfActivity {
  /** Such as `2026-11-21`. */
  readonly date: string;
  /** A visit is a row of half hours in each of which a visitor was active; by API, on pages, or by signing in. */
  readonly visits: number;
  /** Exactly how many visitors there were: a visitor is a network and a browser. */
  readonly uniqueVisitors: number;
  /** How often the page of a share showed its content: once for a share with a limit or a password when it is opened. */
  readonly pageViews: number;
  /** How often the content of a share was served, by API or on its page. */
  readonly views: number;
  readonly signIns: number;
}

const dayMs = 86_400_000;

/** The last so many days (UTC), the oldest first; today is the last. */
const lastDays = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.now() - (count - 1 - at) * dayMs).toISOString().slice(0, 10),
  );

/**
 * What happened on each of the last days (UTC), the oldest first and today last, zeros where nothing did. From 1 to 93
 * days; four small queries at once, whatever the number of visits. What happened just now is counted once the jobs queue
 * has delivered it.
 */
export const listDailyVisits = async (days: number): Promise<DayOfActivity[]> => {
  const wanted = lastDays(Math.min(Math.max(days, 1), maxDays));
  const read = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      queryMatches(
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': keys.dailyActivity('', shard).pk,
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
