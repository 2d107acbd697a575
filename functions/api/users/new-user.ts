import type * as z from 'zod';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { assertPasswordSignIn } from '../../../shared/auth/ways-in.ts';
import type { CustomRoles } from '../../../shared/permissions/roles.ts';
import {
  assertCanGrantPermissions,
  assertCanGrantRole,
  assertRoleExists,
  getExtraPermissions,
  getNewUserPermissions,
  readRolesFrom,
} from './grants.ts';
import type { CreateUserInput } from './input.ts';
import { type Invitation, invitationWrite, invite } from './invitation.ts';
import { assertAllowedDomain } from './record/allowed-domains.ts';
import * as users from './record/users.ts';

type Input = z.output<typeof CreateUserInput>;

/** A user whom an actor may create. */
export interface AllowedUser {
  readonly input: Input;
  readonly role: string;
  readonly extraPermissions: readonly string[];
  /** Whether the user may do what anyone may, so that no step-up is needed. */
  readonly isLeast: boolean;
}

/** A created user. `invitation`: how the user is invited, if nothing signs in yet. */
interface CreatedUser {
  readonly user: StoredUser;
  readonly invitation: Invitation | undefined;
}

/**
 * Checks that an actor may create a user, with the permissions that are sent or those of the setting NEW_USER_PERMISSIONS.
 * @throws AppError FORBIDDEN; VALIDATION_ERROR about `role`, or about `email` if its domain isn't allowed
 */
export const checkNewUser = (actor: Actor, input: Input, roles: CustomRoles): AllowedUser => {
  assertAllowedDomain(input.email);
  if (input.password != null) assertPasswordSignIn();
  const role = input.role ?? 'user';
  assertRoleExists(role, roles);
  const requested = getExtraPermissions(role, input.permissions ?? [], roles);
  assertCanGrantRole(actor, role, roles);
  assertCanGrantPermissions(actor, requested);
  const extraPermissions =
    input.permissions == null ? getNewUserPermissions(role, roles) : requested;
  const isLeast = (role === 'user' || role === 'guest') && requested.length === 0;
  return { input, role, extraPermissions, isLeast };
};

/**
 * Creates a user, and invites an active one without a password.
 * @throws AppError CONFLICT about `email` or `username`
 */
export const createAllowed = async (
  { input, role, extraPermissions }: AllowedUser,
  recorder: ChangeRecorder,
): Promise<CreatedUser> => {
  const fields: users.NewUser = {
    email: input.email,
    name: input.name,
    role,
    extraPermissions: [...extraPermissions],
    status: input.status ?? 'active',
    ...(input.username != null && { username: input.username }),
    ...(input.password != null && { passwordHash: await hashPassword(input.password) }),
    ...(input.avatar != null && { avatar: input.avatar }),
    ...(input.phone != null && { phone: input.phone }),
    ...(input.timezone != null && { timezone: input.timezone }),
  };
  const user = await users.create(fields, recorder, (created) => [invitationWrite(created)]);
  return { user, invitation: await invite(user) };
};

/**
 * Creates a user with a role and permissions that the actor can grant, or with those of the setting NEW_USER_PERMISSIONS. An
 * active user without a password is invited.
 * @throws AppError FORBIDDEN; REAUTHENTICATION_REQUIRED for rights beyond those of any user; VALIDATION_ERROR about `email` if its domain isn't allowed; CONFLICT about `email` or `username`
 */
export const createUser = async (
  actor: Actor,
  input: Input,
  recorder: ChangeRecorder,
): Promise<CreatedUser> => {
  const allowed = checkNewUser(actor, input, await readRolesFrom(actor, input.role ?? 'user'));
  if (!allowed.isLeast) assertStepUp(actor, 'The new user gets rights.');
  return createAllowed(allowed, recorder);
};

/**
 * Returns the user that an earlier `createUser` created. It makes no new link, because the caller may have received the first.
 * @throws AppError NOT_FOUND if the user has been removed since
 */
export const replayUser = (subject: string): Promise<StoredUser> =>
  users.get(parseSubjectId(subject));
