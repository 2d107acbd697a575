import { keyFamily } from '../db/key.ts';

export const notificationKeys = {
  /** Notification. */
  record: keyFamily('USER#{userId:int}', 'NOTIFICATION#{id:id}'),
  /** Counts by day and read marks of a user's notifications. */
  counters: keyFamily('USER#{userId:int}', 'UPDATES#NOTIFICATIONS'),
  /** Marks that the user was notified of an event. */
  receipt: keyFamily('USER#{userId:int}', 'RECEIPT#{event:any}'),
} as const;
