import type { Actor } from '../../../shared/auth/actor.ts';
import { hasUsablePassword } from '../../../shared/auth/step-up.ts';
import { isEmailSignInOn } from '../../../shared/auth/ways-in.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { getMaxShareSeconds } from '../../../shared/input/share-age.ts';
import { countUnread, parseCounters } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { getRoleLabel } from '../../../shared/permissions/roles.ts';
import { listProviders } from '../../../shared/runtime/provider-settings.ts';
import { getSetting, isMailOn } from '../../../shared/runtime/settings.ts';
import { areMembersKnown, limitAudience } from '../../../shared/users/audience.ts';
import { getDirectoryFor } from '../../../shared/users/directory.ts';
import { toState } from '../../api/checkin/checkin.ts';
import { checkinKeys } from '../../api/checkin/keys.ts';
import { countWaitingFor } from '../../api/share/intake/waiting.ts';
import type { PageSession, SignedIn } from '../layout/session.ts';

const readSignedIn = async ({ user, roles, permissions }: Actor): Promise<SignedIn> => {
  const { id: userId } = user;
  const [[counters, checkin], reports] = await Promise.all([
    batchGet([notificationKeys.counters.at({ userId }), checkinKeys.record.at({ userId })]),
    countWaitingFor(permissions),
  ]);
  const { checkedIn, streak, totalPoints } = toState(checkin);
  const unread = can(permissions, 'messages:view') ? Number(counters?.['unread'] ?? 0) : 0;
  return {
    state: 'signed-in',
    user: {
      id: userId,
      name: user.name,
      email: user.email,
      role: user.role,
      roleLabel: getRoleLabel(user.role, roles),
      timezone: user.timezone ?? null,
      avatar: user.avatar ?? null,
      createdAt: user.createdAt,
    },
    permissions,
    directory: getDirectoryFor(permissions),
    audience: {
      default: limitAudience(getSetting('DEFAULT_AUDIENCE')),
      max: getSetting('MAX_AUDIENCE'),
      membersKnown: areMembersKnown(),
    },
    maxShareSeconds: getMaxShareSeconds() ?? null,
    sendsMail: isMailOn(),
    hasPassword: hasUsablePassword(user),
    hasOtherWays: isEmailSignInOn() || listProviders().length > 0,
    counts: {
      messages: unread,
      notifications: countUnread(parseCounters(counters)),
      reports,
    },
    checkin: { checkedIn, streak, totalPoints },
  };
};

/**
 * Reads what a page shows of its user in one round trip. Messages that are still being delivered aren't counted yet; the
 * page's script counts them (decisions.md#pages).
 */
export const readSession = async (
  actor: Actor | undefined,
  fetchSite: string | undefined,
): Promise<PageSession> => {
  if (actor) return readSignedIn(actor);
  return { state: fetchSite === 'cross-site' ? 'unknown' : 'signed-out' };
};
