import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { activity } from '../../../shared/activity/jobs.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Item, itemParser } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';
import type { Write } from '../../../shared/db/transaction.ts';

/** An activity message. Repeated ones have the same name. */
export interface ActivityEvent {
  readonly id: string;
  readonly name: string;
  readonly data: z.output<typeof activity.data>;
}

/** The events of a visitor on a day. */
export interface VisitorEvents {
  readonly key: Key;
  readonly events: readonly ActivityEvent[];
}

interface StoredVisitor {
  /** A `1` for each half hour (UTC) with a view of a page. */
  readonly halfHours: string;
  /** The names of the last events, newest first. */
  readonly names: Uint8Array;
}

const parseVisitor = itemParser<StoredVisitor>('visitor', ['halfHours', 'names']);

/** Longer than messages stay in the queue. A later message would count the visitor again. */
const retentionSeconds = 5 * 86_400;

const nameBytes = 8;
/** Keeps the item below 1 KB, which is one write unit. */
const maxNames = 100;

const noActivity = '0'.repeat(48);
const halfHourMs = 1_800_000;
const dayMs = 86_400_000;

/** Returns the name of an event: 64 bits as hexadecimal digits. */
export const toEventName = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * nameBytes);

/** Counts visits: consecutive half hours with views of pages are one. So there is no visit without a page view. */
const countVisits = (halfHours: string): number => halfHours.match(/1+/g)?.length ?? 0;

const addHalfHour = (halfHours: string, { data: { at, counts } }: ActivityEvent): string => {
  if (!counts.includes('pageViews')) return halfHours;
  const slot = Math.floor((Date.parse(at) % dayMs) / halfHourMs);
  return `${halfHours.slice(0, slot)}1${halfHours.slice(slot + 1)}`;
};

/** Returns the events that a stored visitor doesn't list as counted. */
export const listUncounted = (
  events: readonly ActivityEvent[],
  item: Item | undefined,
): readonly ActivityEvent[] => {
  const { names } = parseVisitor(item) ?? { names: new Uint8Array() };
  const known: readonly string[] = Buffer.from(names).toString('hex').match(/.{16}/g) ?? [];
  return events.filter(({ name }) => !known.includes(name));
};

/**
 * Adds uncounted events to a visitor. Returns the write, which fails if the item has changed, and what it adds to the
 * counters of the day.
 */
export const addToVisitor = ({ key, events }: VisitorEvents, item: Item | undefined) => {
  const stored = parseVisitor(item);
  const before = stored?.halfHours ?? noActivity;
  const halfHours = events.reduce(addHalfHour, before);
  const added = Buffer.from(events.map(({ name }) => name).join(''), 'hex');
  const names = Buffer.concat([added, stored?.names ?? Buffer.of()]);
  const dayEnd = Date.parse(events[0]?.data.at.slice(0, 10) ?? '') + dayMs;
  const write: Write = {
    Put: {
      TableName: tableName(),
      Item: {
        ...key,
        halfHours,
        names: names.subarray(0, maxNames * nameBytes),
        ttl: Math.ceil(Math.max(dayEnd, Date.now()) / 1_000) + retentionSeconds,
      },
      ConditionExpression: stored ? '#names = :names' : 'attribute_not_exists(pk)',
      ...(stored && {
        ExpressionAttributeNames: { '#names': 'names' },
        ExpressionAttributeValues: { ':names': stored.names },
      }),
    },
  };
  const visits = countVisits(halfHours) - countVisits(before);
  const isNew = before === noActivity && halfHours !== noActivity;
  return { write, visits, uniqueVisitors: isNew ? 1 : 0 };
};
