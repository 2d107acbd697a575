import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { type Actor, signInAgain } from '../../../shared/auth/actor.ts';
import { leavingMs } from '../../../shared/auth/leaving.ts';
import { isPassword } from '../../../shared/auth/passwords.ts';
import {
  assertFreshSignIn,
  assertStepUp,
  hasUsablePassword,
} from '../../../shared/auth/step-up.ts';
import { canSignIn, isLeaving, type StoredUser } from '../../../shared/auth/user.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { reconcile } from './administration.ts';
import * as users from './record/users.ts';

/** Why the caller is asked who they are. */
const reason = 'This deletes your account.';

/**
 * Asserts that it is the owner who wants the account deleted, as for another email address.
 * @throws AppError VALIDATION_ERROR about `currentPassword`; REAUTHENTICATION_REQUIRED of someone with a second factor or without a
 *   password
 */
const assertOwner = async (actor: Actor, currentPassword: string | undefined): Promise<void> => {
  const { user } = actor;
  if (!hasUsablePassword(user)) assertFreshSignIn(actor, reason);
  else if (currentPassword === undefined) {
    throw invalidField('currentPassword', 'is required to delete the account');
  } else if (!(await isPassword(currentPassword, user.passwordHash))) {
    throw invalidField('currentPassword', 'is incorrect');
  }
  assertStepUp(actor, reason);
};

/**
 * Lets the caller's account be deleted in seven days, and closes it to everyone but its owner, who can keep it until then
 * (decisions.md#leaving). Ends all sessions. Two requests at once set one date. Returns when (ISO 8601).
 * @throws AppError VALIDATION_ERROR about `currentPassword`; REAUTHENTICATION_REQUIRED of someone with a second factor or without a
 *   password; UNAUTHORIZED if all sessions have ended meanwhile; CONFLICT for the last active super_admin
 */
export const leaveAccount = async (
  actor: Actor,
  currentPassword: string | undefined,
  recorder: ChangeRecorder,
): Promise<string> => {
  await assertOwner(actor, currentPassword);
  const deletesAt = new Date(Date.now() + leavingMs).toISOString();
  const change = await users.update(
    actor.user.id,
    (current) => {
      if (isLeaving(current)) return {};
      // Whoever has ended all sessions meanwhile, the owner or an administrator, may have meant this one.
      if (!canSignIn(current) || current.sessionEpoch !== actor.user.sessionEpoch) {
        throw signInAgain();
      }
      return { deletesAt };
    },
    recorder,
  );
  await reconcile(change);
  return change.user.deletesAt ?? deletesAt;
};

/** Keeps the caller's account, which waits to be deleted, as it was. One that doesn't wait stays as it is. Returns the account. */
export const keepAccount = async (
  { user }: Actor,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const change = await users.update(user.id, () => ({ deletesAt: undefined }), recorder);
  await reconcile(change);
  return change.user;
};
