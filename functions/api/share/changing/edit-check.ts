import type * as z from 'zod';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { assertHasOwner } from '../record/author.ts';
import { canEdit } from '../record/rights.ts';
import { type FoundShare, moderationVersion, notFound, type StoredShare } from '../record/share.ts';
import { type ShareSummary, toSummary } from '../requests/schemas.ts';

/** Returns the version for the caller: for moderators it includes the reports. */
export const getVersion = ({ permissions }: Actor, share: StoredShare): number =>
  can(permissions, 'shares:manage') ? moderationVersion(share) : share.version;

/** Converts a share for its owner or a moderator. */
export const toSummaryResponse = (
  actor: Actor,
  found: FoundShare,
): z.output<typeof ShareSummary> => ({
  ...toSummary(found),
  version: getVersion(actor, found.share),
});

/**
 * Creates the check that the actor owns the share or can moderate it, and that `If-Match` names its version.
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED
 */
export const assertCanEdit =
  (actor: Actor, ifMatch: IfMatch | undefined) =>
  async (share: StoredShare): Promise<void> => {
    if (!canEdit(actor, share)) throw notFound();
    await assertHasOwner(share, actor.user.id);
    assertVersion(ifMatch, getVersion(actor, share));
  };
