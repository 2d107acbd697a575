import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type ChangeRecorder, systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import {
  isActive,
  isInvited,
  isSuspended,
  parseUser,
  type StoredUser,
} from '../../../../shared/auth/user.ts';
import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { countSteps } from '../../../../shared/counters/counter.ts';
import { batchGet, documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { createId } from '../../../../shared/db/ids.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  transact,
  type Write,
} from '../../../../shared/db/transaction.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import {
  type AuditedBeside,
  auditCreated,
  auditDeleted,
  auditUpdated,
  withBeside,
} from './audit.ts';
import { getCounts, guardRoles } from './counters.ts';
import {
  changeEmail,
  type EmailChange,
  requestWrites,
  takeEmail,
  verificationWrite,
} from './email-change.ts';
import { freeAllIdentities } from './end-factors.ts';
import { accountKeys } from './keys.ts';
import { findSignOut, leavingAlerts } from './leaving.ts';
import { type ScheduledReconciliation, scheduleReconciliation } from './reconcile-job.ts';
import { receiverActiveCheck, transferWrite } from './transfer.ts';
import { indexWrites } from './user-index.ts';
import { uniqueKeyWrites, updateUserWrite } from './user-writes.ts';
import { deriveUsername } from './username.ts';

/** The editable fields of a user, with the password hashed. */
export type UserFields = Omit<
  StoredUser,
  | 'id'
  | 'createdAt'
  | 'updatedAt'
  | 'lastLoginAt'
  | 'version'
  | 'sessionEpoch'
  | 'sessionsEndedBy'
  | 'passwordTokenHash'
  | 'passwordTokenExpiresAt'
  | 'formerEmails'
  | 'signInPlaces'
  | 'webhookEvents'
  | 'webhookChanges'
>;

/** The fields of a new account. A missing username is derived from the email address. */
export type NewUser = Omit<UserFields, 'username' | 'extraPermissions' | 'status'> &
  Partial<Pick<StoredUser, 'username' | 'extraPermissions' | 'status' | 'lastLoginAt'>>;

const maxAttempts = 8;

/** Returns whether a change closes to others what a user shows, or opens it again. */
const changesSuspension = (before: StoredUser, after: StoredUser): boolean =>
  isSuspended(before) !== isSuspended(after);

/** Creates the error for an email address or a username that someone has. */
export const takenError = (field: 'email' | 'username') =>
  new AppError(
    'CONFLICT',
    field === 'email'
      ? 'This email address is already registered.'
      : 'This username is already taken.',
    {
      details: [
        { field, message: field === 'email' ? 'is already registered' : 'is already taken' },
      ],
    },
  );

const lastSuperAdminError = () =>
  new AppError('CONFLICT', 'The last active super_admin can’t be removed. Add another first.');

const deletedRoleError = () => invalidField('role', 'has just been deleted; choose another');

const userCountSteps = (before: StoredUser | undefined, after: StoredUser | undefined) =>
  countSteps(
    getCounts(before),
    getCounts(after),
    guardRoles(lastSuperAdminError, deletedRoleError),
  );

/**
 * Retries an attempt that returns `undefined` after a concurrent write.
 * @throws AppError SERVICE_UNAVAILABLE if every attempt conflicts
 */
const retryOnConflict = createRetry('The user is being modified. Try again.');

const notFound = () => new AppError('NOT_FOUND', 'User not found.');

/** Returns whether a new user is sent a verification link: one who can sign in, but whose address isn't proven. */
const needsVerification = (user: StoredUser): boolean =>
  isActive(user) && !isInvited(user) && user.emailVerifiedAt === undefined && asksToVerify();

/**
 * Creates an account with its unique keys, its index entries and the writes of `alongside` in one transaction. A derived
 * username gets a number until it is unique. An address that isn't proven gets a verification link.
 * @throws AppError CONFLICT if the email address, in any case, or the given username is taken
 */
export const create = async (
  fields: NewUser,
  recorder: ChangeRecorder,
  alongside?: (user: StoredUser) => readonly (Write | Step | undefined)[],
  getSignInPlaces?: (id: number) => string | undefined,
  beside: AuditedBeside = {},
): Promise<StoredUser> => {
  const now = new Date().toISOString();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const id = createId();
    const signInPlaces = getSignInPlaces?.(id);
    const user: StoredUser = {
      extraPermissions: [],
      status: 'active',
      ...fields,
      id,
      username: fields.username ?? deriveUsername(fields.email, attempt),
      createdAt: now,
      updatedAt: now,
      version: 1,
      sessionEpoch: 0,
      ...(signInPlaces && { signInPlaces }),
    };
    const refused = await transact([
      { write: createItemWrite(userKeys.record.at({ id: user.id }), user), refused: 'idTaken' },
      { write: takeEmail(user.email, user.id), refused: () => takenError('email') },
      {
        write: createItemWrite(accountKeys.username.at({ username: user.username }), {
          userId: user.id,
        }),
        refused: fields.username === undefined ? 'usernameTaken' : () => takenError('username'),
      },
      ...userCountSteps(undefined, user),
      ...(alongside?.(user) ?? []),
      needsVerification(user) ? verificationWrite(user.id, user.email) : undefined,
      ...indexWrites(undefined, user),
      ...recorder.steps(withBeside(auditCreated(user), beside)),
    ]);
    if (!refused) return user;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'No username available. Try again.');
};

/** Finds a user by id, with a strongly consistent read. */
export const find = async (id: number): Promise<StoredUser | undefined> => {
  const [user] = await batchGet([userKeys.record.at({ id })]);
  return parseUser(user);
};

/**
 * Returns a user by id, with a strongly consistent read.
 * @throws AppError NOT_FOUND
 */
export const get = async (id: number): Promise<StoredUser> => {
  const user = await find(id);
  if (!user) throw notFound();
  return user;
};

/** An id that no user has. */
export const unknownId = 0;

/**
 * Finds the account of an email address, ignoring case. A reserved former address has none. It always makes two strongly
 * consistent reads, so that the time doesn't reveal whether the account exists.
 */
export const findByEmail = async (email: string): Promise<StoredUser | undefined> => {
  const { Item: marker } = await documentClient().send(
    new GetCommand({
      TableName: tableName(),
      Key: accountKeys.email.at({ email }),
      ConsistentRead: true,
    }),
  );
  return find(marker?.['userId'] ?? unknownId);
};

/**
 * Asserts that a user could take an address now.
 * @throws AppError CONFLICT if someone else has it, or may still get it back
 */
export const assertEmailFree = async (email: string, userId: number): Promise<void> => {
  const [marker] = await batchGet([accountKeys.email.at({ email })]);
  if (!marker || marker['heldFor'] === userId) return;
  const isLapsed = String(marker['heldUntil'] ?? '') <= new Date().toISOString();
  if (marker['userId'] !== undefined || !isLapsed) throw takenError('email');
};

/** An updated or removed user, and the reconciliation that the change requires, if any. */
export interface UserChange {
  readonly user: StoredUser;
  readonly scheduled?: ScheduledReconciliation | undefined;
}

/** The changed fields of a user; `undefined` clears one. */
export type UserEdit = Partial<{ readonly [F in keyof UserFields]: UserFields[F] | undefined }>;

/**
 * Updates a user with its unique keys and index entries in one transaction. `edit` returns the changed fields of the current
 * user; it runs again after a concurrent write and can throw. Without changes nothing is written. Schedules the reconciliation
 * of the shares if the user is suspended or leaves, or no longer is or does. `toEmailChange` says what another email address entails, by
 * default for a change by the owner.
 * @throws AppError NOT_FOUND; CONFLICT if the email address or username is taken, or for the last active super_admin
 */
export const update = async (
  id: number,
  edit: (user: StoredUser) => UserEdit | Promise<UserEdit>,
  recorder: ChangeRecorder,
  toEmailChange: (user: StoredUser, email: string) => EmailChange = changeEmail,
  beside: AuditedBeside = {},
): Promise<UserChange> =>
  retryOnConflict(async () => {
    const before = await get(id);
    const merged = { ...before, ...(await edit(before)) } as StoredUser;
    if (isSameRecord(before, merged)) return { user: before };
    const sessionsEndedBy = findSignOut(before, merged);
    const email = toEmailChange(before, merged.email);
    const changed = {
      ...merged,
      ...email.fields,
      updatedAt: new Date().toISOString(),
      version: before.version + 1,
      // A user who becomes active again has to sign in again.
      sessionEpoch: before.sessionEpoch + Number(sessionsEndedBy !== undefined),
      ...(sessionsEndedBy && { sessionsEndedBy }),
    } as StoredUser;
    const username = uniqueKeyWrites(
      accountKeys.username.at({ username: before.username }),
      accountKeys.username.at({ username: changed.username }),
      id,
    );
    const scheduled = changesSuspension(before, changed)
      ? scheduleReconciliation({ userId: id })
      : undefined;
    const refused = await transact([
      { write: updateUserWrite(before, changed), refused: 'changed' },
      ...(email.others ?? []),
      { write: email.take, refused: () => takenError('email') },
      username.free,
      { write: username.take, refused: () => takenError('username') },
      ...userCountSteps(before, changed),
      scheduled?.write,
      ...requestWrites(before, changed),
      ...leavingAlerts(before, changed),
      ...indexWrites(before, changed),
      ...recorder.steps(withBeside(auditUpdated(before, changed), beside)),
    ]);
    return refused ? undefined : { user: changed, scheduled };
  });

const noReceiverError = () => invalidField('transferTo', 'must be the id of another active user');

/**
 * Removes a user, which frees the email address and username and ends every session. Schedules the reconciliation that
 * deletes or transfers the user's records. `assertCanRemove` gets the current user and can throw; `alongside` makes further
 * writes of the transaction.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR about `transferTo`; CONFLICT for the last active super_admin
 */
export const removeUser = async (
  id: number,
  assertCanRemove: (user: StoredUser) => void | Promise<void>,
  transferTo: number | undefined,
  recorder: ChangeRecorder,
  alongside?: (user: StoredUser) => readonly (Write | undefined)[],
): Promise<UserChange> =>
  retryOnConflict(async () => {
    const before = await get(id);
    await assertCanRemove(before);
    if (transferTo === id) throw noReceiverError();
    const scheduled = scheduleReconciliation({ userId: id, transferTo, removedAt: Date.now() });
    const refused = await transact([
      {
        write: {
          Delete: {
            TableName: tableName(),
            Key: userKeys.record.at({ id }),
            ConditionExpression: 'attribute_exists(pk) AND #version = :expected',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':expected': before.version },
          },
        },
        refused: 'changed',
      },
      deleteItemWrite(accountKeys.email.at({ email: before.email })),
      deleteItemWrite(accountKeys.username.at({ username: before.username })),
      ...(await freeAllIdentities(before)),
      {
        write: transferTo === undefined ? undefined : receiverActiveCheck(transferTo),
        refused: noReceiverError,
      },
      ...userCountSteps(before, undefined),
      transferTo === undefined ? undefined : transferWrite(id, transferTo),
      ...(alongside?.(before) ?? []),
      scheduled.write,
      ...indexWrites(before, undefined),
      ...recorder.steps(auditDeleted(before, transferTo)),
    ]);
    return refused ? undefined : { user: before, scheduled };
  });

/**
 * Creates a super_admin, unless the email address or username is taken. Returns whether it created one. Whoever operates the
 * service says whose address it is, so it counts as proven.
 */
export const ensureSuperAdmin = async (account: Omit<NewUser, 'role'>): Promise<boolean> => {
  try {
    const emailVerifiedAt = new Date().toISOString();
    await create(
      { ...account, role: 'super_admin', emailVerifiedAt },
      systemRecorder('user.create'),
    );
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false;
    throw error;
  }
};
