import type { Permission } from '../permissions/permissions.ts';

export const types = ['system', 'user', 'message', 'task', 'alert'] as const;

/** What a user is told. */
export interface NotificationContent {
  readonly type: (typeof types)[number];
  readonly title: string;
  readonly content: string;
  /** Whoever doesn't hold it is told that something has happened, and not the content. */
  readonly permission?: Permission;
  /** The path of what it is about, on this service. */
  readonly link?: string;
  /** The user who did it; absent where the service itself tells. */
  readonly senderId?: number;
}

/** A notification as the table keeps it, without its keys. */
export interface StoredNotification extends NotificationContent {
  readonly id: number;
  readonly createdAt: string;
  /** When it was read by itself; one that was read with all others is known by the marks of the box. */
  readonly readAt?: string;
}

const dayMs = 86_400_000;

/** Decisions §5. It is to the end of the day (UTC), so that counts of whole days tell how many are kept. */
const keptDays = 90;

/** The day of a time, counted from 1970, in UTC. */
export const getDay = (time: string | number): number =>
  Math.floor(new Date(time).getTime() / dayMs);

/** The first day whose notifications are kept. */
export const getFirstStoredDay = (): number => getDay(Date.now()) - keptDays;

/** Is a notification of this time kept, whatever of older ones is still stored? */
export const isKept = (createdAt: string): boolean => getDay(createdAt) >= getFirstStoredDay();

/** Notifications of this time or later are kept. */
export const getStoredFrom = (): string => new Date(getFirstStoredDay() * dayMs).toISOString();

/** When a notification of this time is kept no longer, in seconds since 1970. */
export const getExpiresAt = (createdAt: string): number =>
  ((getDay(createdAt) + keptDays + 1) * dayMs) / 1_000;
