import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { endedShares, expiredTombstones } from './expiry.ts';

export const scheduled: readonly ScheduledWork[] = [endedShares, expiredTombstones];
