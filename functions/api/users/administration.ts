import type * as z from 'zod';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  changeSettings,
  getSettings,
  toStoredSettings,
} from '../../../shared/auth/notification-settings.ts';
import { isPassword } from '../../../shared/auth/passwords.ts';
import {
  assertFreshSignIn,
  assertStepUp,
  hasUsablePassword,
} from '../../../shared/auth/step-up.ts';
import { type StoredUser, toOwnUser, toUser } from '../../../shared/auth/user.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import { getEffectivePermissions } from '../../../shared/permissions/roles.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../shared/runtime/settings.ts';
import {
  assertCanEnter,
  assertCanGrantPermissions,
  assertCanGrantRole,
  assertCanManage,
  assertCanReadAll,
  assertRoleExists,
  getExtraPermissions,
  readRolesFrom,
  rememberRemoved,
} from './grants.ts';
import {
  toProfileChanges,
  toUserChanges,
  type UpdateProfileInput,
  type UpdateUserInput,
} from './input.ts';
import { assertAllowedDomain } from './record/allowed-domains.ts';
import { nothingPending, replaceEmail } from './record/email-change.ts';
import * as users from './record/users.ts';

/** Reconciles the records of an updated or removed user within the request. Returns whether nothing is left to do. */
export const reconcile = async ({ user, scheduled }: users.UserChange): Promise<boolean> => {
  if (!scheduled) return true;
  // Loads code of every group that stores user data, needed only to delete or suspend a user.
  const { tryReconcile } = await import('./reconcile.ts');
  return tryReconcile(user, scheduled);
};

/** Returns the changed optional fields. Null clears one. */
const getOptionalFields = ({
  avatar,
  phone,
  timezone,
}: Partial<z.output<typeof UpdateProfileInput>>): users.UserEdit => ({
  ...(avatar !== undefined && { avatar: avatar ?? undefined }),
  ...(phone !== undefined && { phone: phone ?? undefined }),
  ...(timezone !== undefined && { timezone: timezone ?? undefined }),
});

const getNames = ({
  email,
  name,
  username,
}: Partial<z.output<typeof UpdateProfileInput>>): users.UserEdit => ({
  ...(email !== undefined && { email }),
  ...(name !== undefined && { name }),
  ...(username !== undefined && { username }),
});

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry) => b.includes(entry));

/**
 * Updates the fields of a user that are sent. The actor needn't be able to grant what the user already has.
 * @throws AppError FORBIDDEN for a user, role or permission beyond the actor's; REAUTHENTICATION_REQUIRED of someone with a second
 *   factor for another role, permission or address; NOT_FOUND; PRECONDITION_FAILED; CONFLICT about `email`, `username`, or the last
 *   active super_admin
 */
export const updateUser = async (
  actor: Actor,
  id: number,
  input: z.output<typeof UpdateUserInput>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const edit = async (user: StoredUser): Promise<users.UserEdit> => {
    const roles = await readRolesFrom(actor, user.role, input.role ?? user.role);
    assertCanManage(actor, user, roles);
    assertVersion(ifMatch, user.version);
    const changes = toUserChanges(input, { ...toUser(user, roles), email: user.email });
    if (changes.email !== undefined) {
      // Prevents an account takeover: changing your own address requires the password.
      if (id === actor.user.id) {
        throw new AppError('FORBIDDEN', 'Use PUT /api/users/me to change your email address.');
      }
      assertCanEnter(actor, user, roles);
      // By the address, a reset link could remove the factors, which takes a session and a proof.
      if (actor.sessionId === undefined && user.secondFactors) {
        throw new AppError(
          'FORBIDDEN',
          'API tokens can’t change the email address of a user with a second factor.',
        );
      }
      assertAllowedDomain(changes.email);
    }
    const { role = user.role, permissions = user.extraPermissions, status } = changes;
    if (changes.role !== undefined) {
      assertRoleExists(role, roles);
      assertCanGrantRole(actor, role, roles);
    }
    const extraPermissions = getExtraPermissions(role, permissions, roles);
    const current = getEffectivePermissions(user, roles);
    assertCanGrantPermissions(
      actor,
      extraPermissions.filter((entry) => !current.includes(entry)),
    );
    const isSame = isSameSet(extraPermissions, user.extraPermissions) && role === user.role;
    const isBack = status === 'active' && user.status !== 'active';
    if (!isSame || isBack || changes.email !== undefined) {
      assertStepUp(actor, 'This changes what a user may do, or who gets into the account.');
    }
    return {
      ...getNames(changes),
      ...getOptionalFields(changes),
      role,
      extraPermissions,
      ...rememberRemoved(user, { role, extraPermissions }, roles),
      ...(status !== undefined && { status }),
    };
  };
  const change = await users.update(id, edit, recorder, replaceEmail);
  await reconcile(change);
  return change.user;
};

/**
 * Deletes a user. From then on no one can read the user's records (decisions.md#user-deletion). The request deletes them or
 * transfers them to `transferTo` for up to 6 s. Returns whether a job does the rest.
 * @throws AppError FORBIDDEN for a user of a higher rank or without the permissions of a transfer; NOT_FOUND;
 *   PRECONDITION_FAILED; CONFLICT for the last active super_admin; VALIDATION_ERROR about `transferTo`
 */
export const deleteUser = async (
  actor: Actor,
  id: number,
  transferTo: number | undefined,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<{ readonly isPending: boolean }> => {
  if (transferTo !== undefined) assertCanReadAll(actor, 'transferTo');
  const assertCanDelete = async (user: StoredUser) => {
    assertCanManage(actor, user, await readRolesFrom(actor, user.role));
    assertVersion(ifMatch, user.version);
  };
  const change = await users.removeUser(id, assertCanDelete, transferTo, recorder);
  return { isPending: !(await reconcile(change)) };
};

/** Returns how the owner's new address is stored: with email on, it waits to be confirmed (decisions.md#proven-addresses). */
const toNewEmail = (email: string | undefined): users.UserEdit => {
  if (email === undefined) return {};
  // An earlier link ends, also if it was for the same address, which gets another one.
  if (isMailOn()) return { ...nothingPending, pendingEmail: email };
  return { email };
};

/**
 * Updates the fields of the caller's profile that are sent. Another email address waits in `pendingEmail` while email is on.
 * @throws AppError FORBIDDEN for an API token with another email address or a password; VALIDATION_ERROR about
 *   `currentPassword` for another email address, or about `email` if its domain isn't allowed; REAUTHENTICATION_REQUIRED of someone
 *   with a second factor or without a password for another email address; PRECONDITION_FAILED; CONFLICT
 */
export const updateProfile = async (
  actor: Actor,
  input: z.output<typeof UpdateProfileInput>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const { user, sessionId, roles } = actor;
  const { email, currentPassword } = input;
  const isNew = email !== undefined && email !== user.email;
  // Otherwise, a stolen token could be used to guess the password.
  if (sessionId === undefined && (isNew || currentPassword != null)) {
    throw new AppError('FORBIDDEN', 'API tokens can’t change the email address.');
  }
  const hasPassword = hasUsablePassword(user);
  const isConfirmed = isNew && (!hasPassword || currentPassword != null);
  if (isConfirmed) {
    assertAllowedDomain(email);
    if (!hasPassword) assertFreshSignIn(actor, 'This changes your email address.');
    else if (!(await isPassword(currentPassword ?? '', user.passwordHash))) {
      throw invalidField('currentPassword', 'is incorrect');
    }
    assertStepUp(actor, 'This changes your email address.');
    await users.assertEmailFree(email, user.id);
  }
  // The address or the password may have changed concurrently.
  const edit = (current: StoredUser): users.UserEdit => {
    assertVersion(ifMatch, current.version);
    const { email: newEmail, ...changes } = toProfileChanges(input, {
      ...toOwnUser(current, roles),
      email: current.email,
    });
    if (newEmail !== undefined) {
      if (!isConfirmed) {
        throw invalidField('currentPassword', 'is required to change the email address');
      }
      if (current.passwordHash !== user.passwordHash) {
        throw invalidField('currentPassword', 'has just changed; try again');
      }
    }
    const { notificationSettings } = changes;
    return {
      ...getNames(changes),
      ...toNewEmail(newEmail),
      ...getOptionalFields(changes),
      ...(notificationSettings && {
        notificationSettings: toStoredSettings(changeSettings(getSettings(), notificationSettings)),
      }),
    };
  };
  return (await users.update(user.id, edit, recorder)).user;
};
