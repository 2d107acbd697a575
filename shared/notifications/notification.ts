import * as z from 'zod';
import type { NotificationTopic } from '../auth/notification-settings.ts';
import { itemParser } from '../db/item-parser.ts';
import type { Permission } from '../permissions/permissions.ts';
import { getSetting } from '../runtime/settings.ts';

export const types = ['system', 'user', 'message', 'task', 'alert'] as const;

/** The user who caused a notification, with the name at that time. */
export const Sender = z.object({ id: z.int(), name: z.string() });
export type Sender = Readonly<z.output<typeof Sender>>;

/** Content of a notification. */
export interface NotificationContent {
  readonly type: (typeof types)[number];
  readonly title: string;
  readonly content: string;
  /** Users without this permission see only that something happened, not the content. */
  readonly permission?: Permission;
  /** Path on this service to what it is about. */
  readonly link?: string;
  /** Absent if the service caused it. */
  readonly sender?: Sender;
  /** What the sender did, as it follows a name: `invited you to an event`. */
  readonly action?: string;
  /** Of a message: its conversation. Those created before it was stored have none. */
  readonly conversationId?: number;
}

/** A notification to send: its content, and the topic that users turn on and off. */
export interface Notice extends NotificationContent {
  readonly topic: NotificationTopic;
}

/** A notification as stored, without keys. */
export interface StoredNotification extends NotificationContent {
  readonly id: number;
  readonly createdAt: string;
  /** When it was read individually. The counters' marks show when all were. */
  readonly readAt?: string;
  /** For how many days after its own it is kept, unless these are 90. */
  readonly keptDays?: number;
}

/** Parses a stored notification. */
export const parseNotification = itemParser<StoredNotification>('notification', [
  'id',
  'type',
  'createdAt',
]);

const dayMs = 86_400_000;

/** How many days notifications were kept before that could be set. What was stored for others says for how many. */
const usualDays = 90;

/** Returns for how many days notifications are kept by NOTIFICATIONS_KEEP, after the day (UTC) of their creation. */
export const countKeptDays = (): number => getSetting('NOTIFICATIONS_KEEP') / dayMs;

/** Returns the number of days since 1970 (UTC). */
export const getDay = (time: string | number): number =>
  Math.floor(new Date(time).getTime() / dayMs);

/** Returns the first day within retention. */
export const getFirstStoredDay = (): number => getDay(Date.now()) - countKeptDays();

/** Returns the time from which notifications are within retention. */
export const getStoredFrom = (): string => new Date(getFirstStoredDay() * dayMs).toISOString();

/** What of a notification decides for how long it is kept. */
export type Kept = Pick<StoredNotification, 'createdAt' | 'keptDays'>;

/** Returns for how many days a notification that is created now is kept, to be stored with it. */
export const chooseKeptDays = (): Pick<Kept, 'keptDays'> => {
  const keptDays = countKeptDays();
  return keptDays === usualDays ? {} : { keptDays };
};

/** Returns when the table deletes a notification, in seconds since 1970. */
export const getExpiresAt = ({ createdAt, keptDays = usualDays }: Kept): number =>
  ((getDay(createdAt) + keptDays + 1) * dayMs) / 1_000;

/**
 * Returns the name under which a notification is counted: its day, and for how many days it is kept, unless that is usual. So a
 * count ends on the day on which the table deletes what it counts, however the setting changes later.
 */
export const getCountName = ({ createdAt, keptDays = usualDays }: Kept): string => {
  const day = getDay(createdAt);
  return keptDays === usualDays ? String(day) : `${day}_${keptDays}`;
};

/** Returns the day of creation that a count is about, and the last day on which that is within its own retention. */
export const readCountName = (name: string) => {
  const [day = 0, keptDays = usualDays] = name.split('_').map(Number);
  return { day, lastDay: day + keptDays };
};

/** Returns whether what is counted under a name is within retention: its own, and that of the setting. */
export const isCounted = (name: string): boolean => {
  const { day, lastDay } = readCountName(name);
  return day >= getFirstStoredDay() && lastDay >= getDay(Date.now());
};

/** Returns whether a notification is within retention, even if older ones are still stored. */
export const isKept = (notification: Kept): boolean => isCounted(getCountName(notification));
