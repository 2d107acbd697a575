import { audiences, isWider } from '../../../../../../shared/permissions/audiences.ts';
import { scopes } from '../../../../../../shared/permissions/scopes.ts';
import { type Entry, expandPermissions } from '../../../../browser/people/entries.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { user } from './state.ts';

/** Who can open shares by default and at most, and whether they can be for everyone here. */
export const sharing = signedIn?.audience ?? { default: 'link', max: 'link', membersKnown: true };

/** Whether pages can't be for everyone here, because anyone can register. */
export const isWithoutMembers = !sharing.membersKnown && !isWider('members', sharing.max);

/** Who can open what tokens publish: no one whom the service excludes. */
export const offeredAudiences = audiences
  .filter((audience) => !isWider(audience, sharing.max))
  .map((audience) => ({ audience, isOff: audience === 'members' && isWithoutMembers }));

/** Returns what the user may give to a token: the own permissions, and all scopes. */
export const getGrantable = (): ReadonlySet<Entry> =>
  new Set([
    ...scopes,
    ...expandPermissions(user.data.value?.permissions ?? signedIn?.permissions ?? []),
  ]);
