import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { scheduledPrunes } from '../uploads/scheduled-prunes.ts';
import { endedShares, expiredTombstones } from './expiry.ts';

export const scheduled: readonly ScheduledWork[] = [
  endedShares,
  expiredTombstones,
  scheduledPrunes,
];
