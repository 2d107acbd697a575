import { keyFamily } from '../db/key.ts';

export const counterKeys = {
  /** Shard of all totals. */
  total: keyFamily('TOTAL#{shard:int}', 'TOTAL'),
} as const;
