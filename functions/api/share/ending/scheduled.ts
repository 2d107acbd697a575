import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { deleteTombstones, purgeEndedShares } from './expiry.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'ended-shares', run: purgeEndedShares },
  { name: 'tombstones', run: deleteTombstones },
];
