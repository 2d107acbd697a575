import { userKeys } from '../../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  count,
  defineCounter,
  readCounter,
} from '../../../../shared/counters/counter.ts';
import { inTotal, totals } from '../../../../shared/counters/total.ts';
import { shareKeys } from './keys.ts';
import type { StoredShare } from './share.ts';

const ofOwner = defineCounter({
  family: shareKeys.ownCount,
  describe: ({ ownerId }) => `shares of user ${ownerId}`,
  owner: ({ ownerId }) => userKeys.record.at({ id: ownerId }),
});

/** Lists what a share adds to counters. */
export const getCounts = ({ ownerId }: Pick<StoredShare, 'ownerId'>): Count[] => [
  count(ofOwner, { ownerId }, { shares: 1 }),
  inTotal('shares'),
];

export const counted: readonly Counted[] = [
  { record: shareKeys.record, counters: [totals, ofOwner], of: getCounts },
];

/** Counts a user's shares. */
export const countOwn = async (ownerId: number): Promise<number> =>
  (await readCounter(ofOwner, { ownerId }))['shares'] ?? 0;
