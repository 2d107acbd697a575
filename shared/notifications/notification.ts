import * as z from 'zod';
import type { NotificationTopic } from '../auth/notification-settings.ts';
import { itemParser } from '../db/item-parser.ts';
import type { Permission } from '../permissions/permissions.ts';

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
}

/** Parses a stored notification. */
export const parseNotification = itemParser<StoredNotification>('notification', [
  'id',
  'type',
  'createdAt',
]);

const dayMs = 86_400_000;

/** Retention ends with a day (UTC), so that counts of whole days are exact. */
const keptDays = 90;

/** Returns the number of days since 1970 (UTC). */
export const getDay = (time: string | number): number =>
  Math.floor(new Date(time).getTime() / dayMs);

/** Returns the first day within retention. */
export const getFirstStoredDay = (): number => getDay(Date.now()) - keptDays;

/** Returns whether a notification is within retention, even if older ones are still stored. */
export const isKept = (createdAt: string): boolean => getDay(createdAt) >= getFirstStoredDay();

/** Returns the time from which notifications are within retention. */
export const getStoredFrom = (): string => new Date(getFirstStoredDay() * dayMs).toISOString();

/** Returns when a notification expires, in seconds since 1970. */
export const getExpiresAt = (createdAt: string): number =>
  ((getDay(createdAt) + keptDays + 1) * dayMs) / 1_000;
