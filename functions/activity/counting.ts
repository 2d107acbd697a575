import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { batchGet, tableName } from '../../shared/dynamodb.ts';
import { type Key, keys } from '../../shared/table.ts';
import { putNew, transact, type Write } from '../../shared/transaction.ts';
import type { Delivered } from '../jobs/job.ts';
import { claimOf, countPageView } from '../share/gate.ts';
import { counted, type DayOfActivity, shards } from './days.ts';

/** What a message about something that happened says. */
export const Activity = z.object({
  at: z.iso.datetime(),
  visitor: z.string().min(1).max(64),
  counts: z.array(z.enum(counted)).min(1).max(counted.length),
  share: z.string().optional(),
  claim: z.string().optional(),
});

type Activity = z.output<typeof Activity>;
type Noted = Delivered<Activity>;

/** A marker, a visitor and a day for each: a transaction takes 100 writes. */
const atOnce = 25;

const maxTries = 8;

const nowSeconds = (): number => Math.ceil(Date.now() / 1_000);

/** Longer than a message lives in the queue and among the dead letters. */
const markerSeconds = 19 * 86_400;

/** Longer than a message lives in the queue: afterwards a visitor of that day would count as another one. */
const visitorSeconds = 5 * 86_400;

const dayOf = ({ data: { at } }: Noted): string => at.slice(0, 10);

const halfHoursOfDay = 48;
const halfHourMs = 1_800_000;
const never = '0'.repeat(halfHoursOfDay);

/** The half hours of a day in which a visitor was active, with that of another time: a `1` for each. */
const withTime = (halfHours: string, at: string): string => {
  const sinceMidnight = Date.parse(at) - Date.parse(at.slice(0, 10));
  const place = Math.floor(sinceMidnight / halfHourMs);
  return `${halfHours.slice(0, place)}1${halfHours.slice(place + 1)}`;
};

/** A visit is a row of half hours: whoever is away for a whole one begins another. */
const visitsIn = (halfHours: string): number => halfHours.match(/1+/g)?.length ?? 0;

/** What names a happening however often it is told of. */
const nameOf = ({ id, data: { claim } }: Noted): string => claim ?? id;

type Counters = Omit<DayOfActivity, 'date'>;
const none: Counters = { visits: 0, uniqueVisitors: 0, pageViews: 0, views: 0, signIns: 0 };

/** How often each of them is counted. */
const tally = (happenings: readonly Noted[]): Partial<Counters> =>
  Object.fromEntries(
    counted.map((name) => [
      name,
      happenings.filter(({ data: { counts } }) => counts.includes(name)).length,
    ]),
  );

const add = (day: string, counters: Counters): Write => {
  const moved = Object.entries(counters).filter(([, delta]) => delta !== 0);
  return {
    Update: {
      TableName: tableName(),
      Key: keys.activityOfDay(day, randomInt(shards)),
      UpdateExpression: `ADD ${moved.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(moved.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        moved.map(([name, delta]) => [`:${name}`, delta]),
      ),
    },
  };
};

/** One visitor of one day, as known before and as active in these happenings. */
interface Visitor {
  readonly day: string;
  readonly key: Key;
  readonly before: string | undefined;
  readonly after: string;
}

const writeVisitor = ({ key, day, before, after }: Visitor): Write | undefined => {
  if (before === after) return undefined;
  const ttl = Math.max(Date.parse(day) / 1_000 + 86_400, nowSeconds()) + visitorSeconds;
  if (before === undefined) return putNew(key, { halfHours: after, ttl });
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'SET halfHours = :after',
      ConditionExpression: 'halfHours = :before',
      ExpressionAttributeValues: { ':after': after, ':before': before },
    },
  };
};

/** The visitors of these happenings, read in one round trip. */
const readVisitors = async (happenings: readonly Noted[]): Promise<Visitor[]> => {
  const byVisitor = [
    ...Map.groupBy(happenings, (one) => `${dayOf(one)} ${one.data.visitor}`).values(),
  ];
  const places = byVisitor.map(([first]) => {
    const one = first as Noted;
    return { day: dayOf(one), key: keys.visitorOfDay(dayOf(one), one.data.visitor) };
  });
  const items = await batchGet(places.map(({ key }) => key));
  return byVisitor.map((own, at) => {
    const before = items[at]?.['halfHours'] as string | undefined;
    const after = own.reduce(
      (halfHours, { data }) => withTime(halfHours, data.at),
      before ?? never,
    );
    return { ...(places[at] as { day: string; key: Key }), before, after };
  });
};

const writeDays = (happenings: readonly Noted[], visitors: readonly Visitor[]): Write[] =>
  [...Map.groupBy(happenings, dayOf)].map(([day, ofDay]) => {
    const ofThese = visitors.filter((visitor) => visitor.day === day);
    return add(day, {
      ...none,
      ...tally(ofDay),
      uniqueVisitors: ofThese.filter(({ before }) => before === undefined).length,
      visits: ofThese.reduce(
        (sum, { before, after }) => sum + visitsIn(after) - visitsIn(before ?? never),
        0,
      ),
    });
  });

const numbered = (prefix: string, writes: readonly (Write | undefined)[]) =>
  Object.fromEntries(writes.map((write, at) => [`${prefix}${at}`, write]));

/**
 * Counts happenings into their days in one transaction, each once however often it is told of: it leaves a marker, and
 * what has one is left out of the next try.
 */
const countIntoDays = async (happenings: readonly Noted[]): Promise<void> => {
  let rest = happenings;
  for (let attempt = 0; attempt < maxTries && rest.length > 0; attempt++) {
    const visitors = await readVisitors(rest);
    const ttl = nowSeconds() + markerSeconds;
    const failed: Readonly<Record<string, unknown>> | undefined = await transact<string>({
      ...numbered(
        'marker',
        rest.map((one) => putNew(keys.countedActivity(nameOf(one)), { ttl })),
      ),
      ...numbered('visitor', visitors.map(writeVisitor)),
      ...numbered('day', writeDays(rest, visitors)),
    });
    if (!failed) return;
    // Otherwise a visitor was active elsewhere since, and is read again.
    rest = rest.filter((_, at) => !(`marker${at}` in failed));
  }
  if (rest.length > 0) throw new Error('What happened could not be counted for all the others');
};

const onceEach = (happenings: readonly Noted[]): Noted[] => [
  ...new Map(happenings.map((one) => [nameOf(one), one])).values(),
];

/** A view of a share that takes no claim of its own is named by its message, so that it is known when that comes again. */
const countIntoShare = async ({ id, data: { share } }: Noted): Promise<void> => {
  if (share !== undefined) await countPageView(share, claimOf(id));
};

/**
 * Counts what happened: into its day, and a view into its share. Answers what failed by the ids of the messages, which
 * may be delivered again at any time: each is counted once.
 */
export const countActivity = async (
  messages: readonly Noted[],
): Promise<ReadonlyMap<string, unknown>> => {
  const happenings = onceEach(messages);
  const failed = new Map<string, unknown>();
  const notingFailure = (own: readonly Noted[]) => (error: unknown) => {
    for (const { id } of own) failed.set(id, error);
  };
  const ofShares = happenings.map((one) => countIntoShare(one).catch(notingFailure([one])));
  for (let at = 0; at < happenings.length; at += atOnce) {
    const some = happenings.slice(at, at + atOnce);
    await countIntoDays(some).catch(notingFailure(some));
  }
  await Promise.all(ofShares);
  return failed;
};
