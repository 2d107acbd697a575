import type * as z from 'zod';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  changeSettings,
  getSettings,
  toStoredSettings,
} from '../../../shared/auth/notification-settings.ts';
import { hashPassword, isPassword } from '../../../shared/auth/passwords.ts';
import { type StoredUser, toOwnUser, toUser } from '../../../shared/auth/user.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import { getEffectivePermissions } from '../../../shared/permissions/permissions.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../shared/runtime/settings.ts';
import {
  assertCanEnter,
  assertCanGrantPermissions,
  assertCanGrantRole,
  assertCanManage,
  assertCanReadAll,
  getExtraPermissions,
  getNewUserPermissions,
  rememberRemoved,
} from './grants.ts';
import {
  type CreateUserInput,
  toProfileChanges,
  toUserChanges,
  type UpdateProfileInput,
  type UpdateUserInput,
} from './input.ts';
import { type Invitation, invitationWrite, invite } from './invitation.ts';
import { assertAllowedDomain } from './record/allowed-domains.ts';
import { nothingPending, replaceEmail } from './record/email-change.ts';
import * as users from './record/users.ts';

/** Reconciles the records of an updated or removed user within the request. Returns whether nothing is left to do. */
const reconcile = async ({ user, scheduled }: users.UserChange): Promise<boolean> => {
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

/**
 * Creates a user with a role and permissions that the actor can grant, or with those of the setting NEW_USER_PERMISSIONS. An
 * active user without a password is invited.
 * @throws AppError FORBIDDEN; VALIDATION_ERROR about `email` if its domain isn't allowed; CONFLICT about `email` or `username`
 */
export const createUser = async (
  actor: Actor,
  input: z.output<typeof CreateUserInput>,
  recorder: ChangeRecorder,
): Promise<{ readonly user: StoredUser; readonly invitation: Invitation | undefined }> => {
  assertAllowedDomain(input.email);
  const role = input.role ?? 'user';
  const requested = getExtraPermissions(role, input.permissions ?? []);
  assertCanGrantRole(actor, role);
  assertCanGrantPermissions(actor, requested);
  const extraPermissions = input.permissions == null ? getNewUserPermissions(role) : requested;
  const fields: users.NewUser = {
    email: input.email,
    name: input.name,
    role,
    extraPermissions,
    status: input.status ?? 'active',
    ...(input.username != null && { username: input.username }),
    ...(input.password != null && { passwordHash: await hashPassword(input.password) }),
    ...(input.avatar != null && { avatar: input.avatar }),
    ...(input.phone != null && { phone: input.phone }),
    ...(input.timezone != null && { timezone: input.timezone }),
  };
  const user = await users.create(fields, recorder, invitationWrite);
  return { user, invitation: await invite(user) };
};

/**
 * Returns the user that an earlier `createUser` created. It makes no new link, because the caller may have received the first.
 * @throws AppError NOT_FOUND if the user has been removed since
 */
export const replayUser = (subject: string): Promise<StoredUser> =>
  users.get(parseSubjectId(subject));

/**
 * Updates the fields of a user that are sent. The actor needn't be able to grant what the user already has.
 * @throws AppError FORBIDDEN for a user, role or permission beyond the actor's; NOT_FOUND; PRECONDITION_FAILED; CONFLICT
 *   about `email`, `username`, or the last active super_admin
 */
export const updateUser = async (
  actor: Actor,
  id: number,
  input: z.output<typeof UpdateUserInput>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const edit = (user: StoredUser): users.UserEdit => {
    assertCanManage(actor, user);
    assertVersion(ifMatch, user.version);
    const changes = toUserChanges(input, { ...toUser(user), email: user.email });
    if (changes.email !== undefined) {
      // Prevents an account takeover: changing your own address requires the password.
      if (id === actor.user.id) {
        throw new AppError('FORBIDDEN', 'Use PUT /api/users/me to change your email address.');
      }
      assertCanEnter(actor, user);
      assertAllowedDomain(changes.email);
    }
    const { role = user.role, permissions = user.extraPermissions, status } = changes;
    if (changes.role !== undefined) assertCanGrantRole(actor, role);
    const extraPermissions = getExtraPermissions(role, permissions);
    const current = getEffectivePermissions(user.role, user.extraPermissions);
    assertCanGrantPermissions(
      actor,
      extraPermissions.filter((entry) => !current.includes(entry)),
    );
    return {
      ...getNames(changes),
      ...getOptionalFields(changes),
      role,
      extraPermissions,
      ...rememberRemoved(user, { role, extraPermissions }),
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
  const assertCanDelete = (user: StoredUser) => {
    assertCanManage(actor, user);
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
 *   `currentPassword` for another email address, or about `email` if its domain isn't allowed; PRECONDITION_FAILED; CONFLICT
 */
export const updateProfile = async (
  { user, sessionId }: Actor,
  input: z.output<typeof UpdateProfileInput>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const { email, currentPassword } = input;
  const isNew = email !== undefined && email !== user.email;
  // Otherwise, a stolen token could be used to guess the password.
  if (sessionId === undefined && (isNew || currentPassword != null)) {
    throw new AppError('FORBIDDEN', 'API tokens can’t change the email address.');
  }
  const isConfirmed = isNew && currentPassword != null;
  if (isConfirmed) {
    assertAllowedDomain(email);
    if (!(await isPassword(currentPassword, user.passwordHash))) {
      throw invalidField('currentPassword', 'is incorrect');
    }
    await users.assertEmailFree(email, user.id);
  }
  // The address or the password may have changed concurrently.
  const edit = (current: StoredUser): users.UserEdit => {
    assertVersion(ifMatch, current.version);
    const { email: newEmail, ...changes } = toProfileChanges(input, {
      ...toOwnUser(current),
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
