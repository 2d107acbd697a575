import { type Condition, updateFields } from '../../../../shared/db/field-update.ts';
import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { expiryIndex } from './expiry-schedule.ts';
import { shareKeys } from './keys.ts';
import type { StoredShare } from './share.ts';
import { emptyViewIds } from './view-ids.ts';

/** The access fields that are derived from the share. */
const toAccessRules = (share: StoredShare) => ({
  viewsBeforeLast: share.viewLimit === undefined ? undefined : share.viewLimit - 1,
  expiresAt: share.expiresAt,
  passwordId: share.password?.id,
  audienceId: share.audienceId,
  notify: share.notify,
});

/** Creates the write for a new share's access item. */
export const createAccessWrite = (share: StoredShare): Write =>
  createItemWrite(shareKeys.access.at({ id: share.id }), {
    views: 0,
    recentViewIds: emptyViewIds(),
    links: {},
    ...toAccessRules(share),
  });

/** The condition that a share has not ended by its views or manually. */
export const isOpen = 'attribute_exists(pk) AND attribute_not_exists(endedAt)';

/** Requires an open share below its limit. An exact count would let frequent views block updates. */
const belowLimitCondition = (limit: number | undefined): Condition => {
  if (limit === undefined) return { expression: isOpen };
  return {
    expression: `${isOpen} AND #views < :limit`,
    names: { '#views': 'views' },
    values: { ':limit': limit },
  };
};

/** Creates the write that applies an updated share's rules, unless it has ended or reached its limit since. */
export const updateAccessWrite = (share: StoredShare): Write =>
  updateFields(
    shareKeys.access.at({ id: share.id }),
    toAccessRules(share),
    belowLimitCondition(share.viewLimit),
  );

/** Creates the write that ends a share now, unless it has ended since. Its content is purged as after its last view. */
export const closeAccessWrite = (id: string, now: string): Write =>
  updateFields(
    shareKeys.access.at({ id }),
    { endedAt: now, ...expiryIndex.end(now, id) },
    { expression: isOpen },
  );

/** Creates the write that takes back an end by hand at this time, unless the share has ended otherwise since. */
export const reopenAccessWrite = (id: string, closedAt: string): Write =>
  updateFields(
    shareKeys.access.at({ id }),
    { endedAt: undefined, ...expiryIndex.none },
    { expression: 'endedAt = :closedAt', values: { ':closedAt': closedAt } },
  );

/** Requires an unchanged view count. `views` is a reserved word in DynamoDB, hence the placeholder. */
export const viewCountCondition = (views: number): Condition => ({
  expression: 'attribute_exists(pk) AND #views = :expectedViews',
  names: { '#views': 'views' },
  values: { ':expectedViews': views },
});
