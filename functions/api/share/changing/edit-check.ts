import type * as z from 'zod';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { assertHasOwner } from '../record/author.ts';
import { canClose, canEdit } from '../record/rights.ts';
import { type FoundShare, moderationVersion, notFound, type StoredShare } from '../record/share.ts';
import { type ShareSummary, toModeratorSummary, toSummary } from '../requests/schemas.ts';

/** Returns the version for the caller: for moderators it includes the reports. */
export const getVersion = ({ permissions }: Actor, share: StoredShare): number =>
  can(permissions, 'shares:manage') ? moderationVersion(share) : share.version;

/** Converts a share for its owner or a moderator. */
export const toSummaryResponse = (
  actor: Actor,
  found: FoundShare,
): z.output<typeof ShareSummary> => ({
  ...(found.share.ownerId === actor.user.id ? toSummary(found) : toModeratorSummary(found)),
  version: getVersion(actor, found.share),
});

/**
 * Creates the check that the actor owns the share or moderates shares, and that `If-Match` names its version.
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED
 */
export const assertCanClose =
  (actor: Actor, ifMatch: IfMatch | undefined) =>
  async (share: StoredShare): Promise<void> => {
    if (!canClose(actor, share)) throw notFound();
    await assertHasOwner(share, actor.user.id);
    assertVersion(ifMatch, getVersion(actor, share));
  };

/** When a change is refused to moderators, for the API document. */
export const notForModerators =
  'The caller moderates shares but isn’t the owner of this one, and not everyone can open it.';

/**
 * Creates the check that the actor can change the share, and that `If-Match` names its version.
 * @throws AppError NOT_FOUND; FORBIDDEN for moderators of a share that isn’t open to all; PRECONDITION_FAILED
 */
export const assertCanEdit = (actor: Actor, ifMatch: IfMatch | undefined) => {
  const assertClosable = assertCanClose(actor, ifMatch);
  return async (share: StoredShare): Promise<void> => {
    await assertClosable(share);
    if (canEdit(actor, share)) return;
    throw new AppError(
      'FORBIDDEN',
      'Only its owner can change a share that not everyone can open. You can take it down, or end it.',
    );
  };
};
