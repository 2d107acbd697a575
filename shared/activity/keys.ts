import { keyFamily } from '../db/key.ts';

export const activityKeys = {
  /** Counter shard of a day (UTC). */
  day: keyFamily('STATS#DAYS#{shard:int}', '{day}'),
} as const;
