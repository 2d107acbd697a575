import type { SignOutReason } from '../../../../shared/auth/sign-out-reason.ts';
import { canSignIn, isLeaving, type StoredUser } from '../../../../shared/auth/user.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { alertWrite } from './security-alert.ts';

/** Returns why a change ends all sessions of a user, if it does. */
export const findSignOut = (before: StoredUser, after: StoredUser): SignOutReason | undefined => {
  if (canSignIn(before) && !canSignIn(after)) return 'administrator';
  return isLeaving(after) && !isLeaving(before) ? 'deletion' : undefined;
};

/** Creates the writes that tell the owner of an account that it waits to be deleted, or no longer does. */
export const leavingAlerts = (before: StoredUser, after: StoredUser): readonly Write[] => {
  if (isLeaving(after) === isLeaving(before)) return [];
  const { deletesAt } = after;
  return [
    deletesAt === undefined
      ? alertWrite(after, 'account-kept')
      : alertWrite(after, 'account-leaving', { deletesAt }),
  ];
};
