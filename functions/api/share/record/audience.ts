// Who can open a share (decisions.md#audience). `reading/access.ts` decides by it.
import { createRandomText } from '../../../../shared/db/ids.ts';
import type { Audience } from '../../../../shared/permissions/audiences.ts';
import { limitAudience } from '../../../../shared/users/audience.ts';
import type { StoredShare } from './share.ts';

/** Returns who can open a share now: its audience, as far as the settings allow it. */
export const getAudience = ({ audience = 'link' }: Pick<StoredShare, 'audience'>): Audience =>
  limitAudience(audience);

/** Whether anyone with the address of a share can open it. */
export const isOpenToAll = (share: Pick<StoredShare, 'audience'>): boolean =>
  getAudience(share) === 'link';

/** Whether a signed-in user can open a share, before its password and limits. */
export const isInAudience = (share: StoredShare, userId: number): boolean => {
  if (userId === share.ownerId) return true;
  const audience = getAudience(share);
  if (audience === 'people') return share.readers?.includes(userId) ?? false;
  return audience !== 'private';
};

/**
 * Creates the id of an audience that isn't everyone. It is another one after each change of who can open a share, and the
 * write that counts a view requires it.
 */
export const createAudienceId = (): string => createRandomText(6);
