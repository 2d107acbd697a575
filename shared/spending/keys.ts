import { keyFamily } from '../db/key.ts';

export const spendingKeys = {
  /** What the requests of a month (UTC) cost, and what was done about it. */
  month: keyFamily('SPENDING#{month}', 'MONTH'),
  /** Since when the gateway slows public requests down. */
  brake: keyFamily('SPENDING#BRAKE', 'BRAKE'),
} as const;
