import type * as z from 'zod';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { hashPassword, isPassword } from '../../../shared/auth/passwords.ts';
import { type StoredUser, toOwnUser, toUser } from '../../../shared/auth/user.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  can,
  getEffectivePermissions,
  type Permission,
} from '../../../shared/permissions/permissions.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import {
  assertCanGiveAccess,
  assertCanGrantPermissions,
  assertCanGrantRole,
  assertCanManage,
  getExtraPermissions,
  getNewUserPermissions,
} from './grants.ts';
import {
  type OwnChange,
  toOwnChanges,
  toUserChanges,
  type UserChange,
  type UserInput,
} from './input.ts';
import { type Invitation, invitationWrite, invite } from './invitation.ts';
import { parseSubjectId } from './record/audit.ts';
import { scheduleReconciliation } from './record/reconcile-job.ts';
import * as users from './record/users.ts';

/** Loaded when a user is removed or suspended: it has something of every group that keeps what users make. */
const userData = () => import('./reconcile.ts');

/** Fields that take null: it takes them away. */
const getProfile = ({
  avatar,
  phone,
  timezone,
}: Partial<z.output<typeof OwnChange>>): users.Edited => ({
  ...(avatar !== undefined && { avatar: avatar ?? undefined }),
  ...(phone !== undefined && { phone: phone ?? undefined }),
  ...(timezone !== undefined && { timezone: timezone ?? undefined }),
});

const listNames = ({
  email,
  name,
  username,
}: Partial<z.output<typeof OwnChange>>): users.Edited => ({
  ...(email !== undefined && { email }),
  ...(name !== undefined && { name }),
  ...(username !== undefined && { username }),
});

/**
 * Makes a user for the actor, who grants role and permissions within what they hold; where no permissions are named, the
 * setting NEW_USER_PERMISSIONS grants its own. Without a password a user who is
 * active is invited.
 * @throws AppError FORBIDDEN; CONFLICT about `email` or `username`
 */
export const createUser = async (
  actor: Actor,
  input: z.output<typeof UserInput>,
  audit: AuditRecorder,
): Promise<{ readonly user: StoredUser; readonly invitation: Invitation | undefined }> => {
  const role = input.role ?? 'user';
  const named = getExtraPermissions(role, input.permissions ?? []);
  assertCanGrantRole(actor, role);
  assertCanGrantPermissions(actor, named);
  const extraPermissions = input.permissions == null ? getNewUserPermissions(role) : named;
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
  const user = await users.create(fields, audit, invitationWrite);
  return { user, invitation: await invite(user) };
};

/**
 * The user whom `createUser` made. A link, which may have reached whoever asked, stays the newest.
 * @throws AppError NOT_FOUND when the user has been removed since
 */
export const replayUser = (subject: string): Promise<StoredUser> =>
  users.get(parseSubjectId(subject));

/**
 * Changes the fields of a user that are sent. What the user has already isn't granted anew.
 * @throws AppError FORBIDDEN for a user, role or permission beyond the actor's; NOT_FOUND; PRECONDITION_FAILED; CONFLICT
 *   about `email`, `username`, or the last active super_admin
 */
export const changeUser = async (
  actor: Actor,
  id: number,
  input: z.output<typeof UserChange>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredUser> => {
  let before: StoredUser | undefined;
  const edit = (user: StoredUser): users.Edited => {
    before = user;
    assertCanManage(actor, user);
    assertVersion(ifMatch, user.version);
    const changes = toUserChanges(input, toUser(user));
    if (changes.email !== undefined) {
      // By another address the account could be taken over: one's own is changed with the password only.
      if (id === actor.user.id) {
        throw new AppError('FORBIDDEN', 'Change your own e-mail address at /api/users/me');
      }
      assertCanGiveAccess(actor, user);
    }
    const { role = user.role, permissions = user.extraPermissions, status } = changes;
    if (changes.role !== undefined) assertCanGrantRole(actor, role);
    const extraPermissions = getExtraPermissions(role, permissions);
    const had = getEffectivePermissions(user.role, user.extraPermissions);
    assertCanGrantPermissions(
      actor,
      extraPermissions.filter((entry) => !had.includes(entry)),
    );
    return {
      ...listNames(changes),
      ...getProfile(changes),
      role,
      extraPermissions,
      ...(status !== undefined && { status }),
    };
  };
  const reconciliation = scheduleReconciliation({ userId: id });
  const after = await users.update(id, edit, audit, reconciliation);
  if (before && users.changesSuspension(before, after)) {
    const { tryReconcileShares } = await userData();
    await tryReconcileShares(after, reconciliation);
  }
  return after;
};

/** A transfer makes the receiver read what only its owner or who manages it may read. */
const transferNeeds: readonly Permission[] = [
  'documents:manage',
  'files:manage',
  'calendar:manage',
  'shares:manage',
];

/**
 * Checks that the actor may hand what a user owns to another.
 * @throws AppError FORBIDDEN that names the first permission that is missing
 */
const assertCanTransfer = ({ permissions }: Actor): void => {
  const missing = transferNeeds.find((permission) => !can(permissions, permission));
  if (missing) throw new AppError('FORBIDDEN', `transferTo needs the permission ${missing}`);
};

/**
 * Removes a user: nothing of what the user owned can be read from then on (decisions.md#user-deletion). It is removed or handed to `transferTo` within
 * the request as far as 6 s allow; says whether a job does the rest.
 * @throws AppError FORBIDDEN for a user of a higher rank, and without the permissions of a transfer; NOT_FOUND;
 *   PRECONDITION_FAILED; CONFLICT for the last active super_admin; VALIDATION_ERROR about `transferTo`
 */
export const deleteUser = async (
  actor: Actor,
  id: number,
  transferTo: number | undefined,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<{ readonly isPending: boolean }> => {
  if (transferTo !== undefined) assertCanTransfer(actor);
  const check = (user: StoredUser) => {
    assertCanManage(actor, user);
    assertVersion(ifMatch, user.version);
  };
  const removal = { userId: id, transferTo, removedAt: Date.now() };
  const reconciliation = scheduleReconciliation(removal);
  await users.removeUser(id, check, transferTo, audit, reconciliation);
  const { tryDeleteUserData } = await userData();
  return { isPending: !(await tryDeleteUserData(removal, reconciliation)) };
};

/**
 * Changes the fields of one's own account that are sent.
 * @throws AppError VALIDATION_ERROR about `currentPassword` where the e-mail address is to be another;
 *   PRECONDITION_FAILED; CONFLICT
 */
export const updateProfile = async (
  { user }: Actor,
  input: z.output<typeof OwnChange>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredUser> => {
  const { email, currentPassword } = input;
  const isTold = email !== undefined && email !== user.email && currentPassword != null;
  if (isTold && !(await isPassword(currentPassword, user.passwordHash))) {
    throw invalidField('currentPassword', 'is wrong');
  }
  // What is written is what counts: by then the account may have another address or password.
  const edit = (seen: StoredUser): users.Edited => {
    assertVersion(ifMatch, seen.version);
    const changes = toOwnChanges(input, toOwnUser(seen));
    if (changes.email !== undefined) {
      if (!isTold) {
        throw invalidField('currentPassword', 'is required to change the e-mail address');
      }
      if (seen.passwordHash !== user.passwordHash) {
        throw invalidField('currentPassword', 'was changed just now: try again');
      }
    }
    const { notifyNewSignIns } = changes;
    return {
      ...listNames(changes),
      ...getProfile(changes),
      ...(notifyNewSignIns !== undefined && {
        notifyNewSignIns: notifyNewSignIns ? undefined : false,
      }),
    };
  };
  return users.update(user.id, edit, audit);
};

/** Refuses a search beside a filter, and an order that a filter doesn't have. */
export const assertFilters = ({
  search,
  role,
  status,
  sort,
}: {
  readonly search?: unknown;
  readonly role?: unknown;
  readonly status?: unknown;
  readonly sort: string;
}): void => {
  assertSingleFilter({ search, role });
  assertSingleFilter({ search, status });
  if (sort === 'name' && (role !== undefined || status !== undefined)) {
    throw invalidField('sort', 'can only be createdAt beside role or status');
  }
};
