import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { deleteTombstones, endShares } from './expiry.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'ended-shares', run: endShares },
  { name: 'tombstones', run: deleteTombstones },
];
