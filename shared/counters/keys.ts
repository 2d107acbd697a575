import { keyFamily } from '../db/key.ts';

export const counterKeys = {
  /** Counter shard of a total. */
  total: keyFamily('TOTAL#{counted}#{shard:int}', 'TOTAL'),
} as const;
