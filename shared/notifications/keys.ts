import { keyFamily } from '../db/key.ts';

export const notificationKeys = {
  /** Notification. */
  record: keyFamily('USER#{userId:int}', 'NOTIFICATION#{id:id}'),
  /** Counters of a user: of messages, and by day of notifications with their read marks. */
  counters: keyFamily('USER#{userId:int}', 'UPDATES#COUNTERS'),
  /** Marks that the user was notified of an event. */
  receipt: keyFamily('USER#{userId:int}', 'RECEIPT#{event:any}'),
} as const;
