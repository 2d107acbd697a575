import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type AuditRecorder, systemAudit } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { keys } from '../../../../shared/db/table.ts';
import {
  createItemWrite,
  deleteItemWrite,
  transact,
  type Write,
} from '../../../../shared/db/transaction.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { auditCreated, auditDeleted, auditUpdated } from './audit.ts';
import { changeEmail, takeEmail } from './email-change.ts';
import { scheduleReconciliation } from './reconcile-job.ts';
import { receiverActiveCheck, transferWrite } from './transfer.ts';
import { indexWrites } from './user-index.ts';
import { totalWrites } from './user-totals.ts';
import { uniqueKeyWrites, updateUserWrite } from './user-writes.ts';
import { deriveUsername } from './username.ts';

/** What can be said of a user; the password is hashed already. */
export type UserFields = Omit<
  StoredUser,
  | 'id'
  | 'createdAt'
  | 'updatedAt'
  | 'lastLoginAt'
  | 'version'
  | 'sessionEpoch'
  | 'passwordTokenHash'
  | 'passwordTokenExpiresAt'
  | 'formerEmails'
  | 'signInPlaces'
>;

/** What a new account is made of. Without a username one is derived from the e-mail address. */
export type NewUser = Omit<UserFields, 'username' | 'extraPermissions' | 'status'> &
  Partial<Pick<UserFields, 'username' | 'extraPermissions' | 'status'>>;

const maxTries = 8;

const isActiveSuperAdmin = (user: StoredUser | undefined): boolean =>
  user?.role === 'super_admin' && user.status === 'active';

/** The write that keeps count of the active super_admins, and refuses to let the last one go. */
export const moveSuperAdmins = (
  before: StoredUser | undefined,
  after: StoredUser | undefined,
): Write | undefined => {
  const delta = Number(isActiveSuperAdmin(after)) - Number(isActiveSuperAdmin(before));
  if (delta === 0) return undefined;
  return {
    Update: {
      TableName: tableName(),
      Key: keys.superAdmins(),
      UpdateExpression: 'ADD active :delta',
      ...(delta < 0 && { ConditionExpression: 'active > :one' }),
      ExpressionAttributeValues: { ':delta': delta, ...(delta < 0 && { ':one': 1 }) },
    },
  };
};

/** Does the change shut a user's shares, or open them? */
export const changesSuspension = (before: StoredUser, after: StoredUser): boolean =>
  (before.status === 'suspended') !== (after.status === 'suspended');

const takenError = (field: 'email' | 'username') =>
  new AppError(
    'CONFLICT',
    field === 'email'
      ? 'This e-mail address is registered already'
      : 'This username is taken already',
    {
      details: [
        { field, message: field === 'email' ? 'is registered already' : 'is taken already' },
      ],
    },
  );

const lastSuperAdmin = () =>
  new AppError('CONFLICT', 'This is the last active super_admin: make another one first');

/**
 * Tries something again that answers `undefined` where somebody else was faster.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
const untilDone = retryOnConflict('Too many changes at once: try again');

const notFound = () => new AppError('NOT_FOUND', 'There is no such user');

/**
 * Makes an account, its markers that keep e-mail and username unique, its places in the lists and the search, and
 * what is to be written alongside, in one transaction. A derived username is made unique silently.
 * @throws AppError CONFLICT when the e-mail address is taken, whatever its case, or the username that was given
 */
export const create = async (
  fields: NewUser,
  audit: AuditRecorder,
  alongside?: (user: StoredUser) => Write | undefined,
  getSignInPlaces?: (id: number) => string | undefined,
): Promise<StoredUser> => {
  const now = new Date().toISOString();
  for (let attempt = 0; attempt < maxTries; attempt++) {
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
    const failed = await transact({
      user: createItemWrite(keys.user(user.id), user),
      email: takeEmail(user.email, user.id),
      username: createItemWrite(keys.username(user.username), { userId: user.id }),
      superAdmins: moveSuperAdmins(undefined, user),
      ...totalWrites(undefined, user),
      alongside: alongside?.(user),
      ...indexWrites(undefined, user),
      ...audit.writes(auditCreated(user)),
    });
    if (!failed) return user;
    if (failed.email) throw takenError('email');
    if (failed.username && fields.username !== undefined) throw takenError('username');
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'No free username was found: try again');
};

/** A user by id, strongly consistent. */
export const find = async (id: number): Promise<StoredUser | undefined> => {
  const [user] = await batchGet([keys.user(id)]);
  return user as StoredUser | undefined;
};

/**
 * A user by id, strongly consistent.
 * @throws AppError NOT_FOUND
 */
export const get = async (id: number): Promise<StoredUser> => {
  const user = await find(id);
  if (!user) throw notFound();
  return user;
};

/** No user's id. */
const nobody = 0;

/**
 * The account of an e-mail address, whatever its case; a reserved former address leads to none. Two strongly consistent reads, also when there is none: their
 * time must not tell.
 */
export const findByEmail = async (email: string): Promise<StoredUser | undefined> => {
  const { Item: marker } = await documentClient().send(
    new GetCommand({ TableName: tableName(), Key: keys.email(email), ConsistentRead: true }),
  );
  return find(marker?.['userId'] ?? nobody);
};

/** The fields of a user that are to be others, `undefined` for those that are to go. */
export type Edited = Partial<{ readonly [F in keyof UserFields]: UserFields[F] | undefined }>;

/**
 * Changes a user in one transaction with its markers and its places in lists and search. `edit` is given the user as it
 * is and answers what is to be another; it is asked again when somebody else was faster, and may throw. Where nothing is,
 * nothing is written. Where the change shuts the user's shares or opens them, the job `settling` is left to do so.
 * @throws AppError NOT_FOUND; CONFLICT when e-mail or username is taken, or for the last active
 *   super_admin
 */
export const update = async (
  id: number,
  edit: (user: StoredUser) => Edited,
  audit: AuditRecorder,
  reconciliation = scheduleReconciliation({ userId: id }),
): Promise<StoredUser> =>
  untilDone(async () => {
    const seen = await get(id);
    const merged = { ...seen, ...edit(seen) } as StoredUser;
    if (isSameRecord(seen, merged)) return seen;
    const isShutOut = seen.status === 'active' && merged.status !== 'active';
    const email = changeEmail(seen, merged.email);
    const changed: StoredUser = {
      ...merged,
      ...email.fields,
      updatedAt: new Date().toISOString(),
      version: seen.version + 1,
      // Who comes back later signs in anew.
      sessionEpoch: seen.sessionEpoch + Number(isShutOut),
    };
    const name = uniqueKeyWrites(keys.username(seen.username), keys.username(changed.username), id);
    const failed = await transact({
      user: updateUserWrite(seen, changed),
      ...email.markers,
      freeUsername: name.free,
      takeUsername: name.take,
      superAdmins: moveSuperAdmins(seen, changed),
      ...totalWrites(seen, changed),
      settling: changesSuspension(seen, changed) ? reconciliation : undefined,
      alert: email.alert,
      ...indexWrites(seen, changed),
      ...audit.writes(auditUpdated(seen, changed)),
    });
    if (!failed) return changed;
    if (failed.user) return undefined;
    if (failed.takeEmail) throw takenError('email');
    if (failed.takeUsername) throw takenError('username');
    throw lastSuperAdmin();
  });

const noReceiverError = () => invalidField('transferTo', 'must be the id of another active user');

/**
 * Removes a user, which frees e-mail and username and ends every session at once; the job `settling` is left to remove
 * what the user owns, or to hand it to a receiver. `check` is given the user as it is, and may throw.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR about `transferTo`; CONFLICT for the last active super_admin
 */
export const removeUser = async (
  id: number,
  check: (user: StoredUser) => void,
  transferTo: number | undefined,
  audit: AuditRecorder,
  reconciliation = scheduleReconciliation({ userId: id, transferTo, removedAt: Date.now() }),
): Promise<StoredUser> =>
  untilDone(async () => {
    const seen = await get(id);
    check(seen);
    if (transferTo === id) throw noReceiverError();
    const failed = await transact({
      user: {
        Delete: {
          TableName: tableName(),
          Key: keys.user(id),
          ConditionExpression: 'attribute_exists(pk) AND #version = :seen',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':seen': seen.version },
        },
      },
      email: deleteItemWrite(keys.email(seen.email)),
      username: deleteItemWrite(keys.username(seen.username)),
      superAdmins: moveSuperAdmins(seen, undefined),
      ...totalWrites(seen, undefined),
      receiver: transferTo === undefined ? undefined : receiverActiveCheck(transferTo),
      transfer: transferTo === undefined ? undefined : transferWrite(id, transferTo),
      settling: reconciliation,
      ...indexWrites(seen, undefined),
      ...audit.writes(auditDeleted(seen, transferTo)),
    });
    if (!failed) return seen;
    if (failed.user) return undefined;
    throw failed.receiver ? noReceiverError() : lastSuperAdmin();
  });

/** Makes the account a super_admin, unless an account of that e-mail address exists. Says whether it made one. */
export const ensureSuperAdmin = async (account: Omit<NewUser, 'role'>): Promise<boolean> => {
  try {
    await create({ ...account, role: 'super_admin' }, systemAudit('user.create'));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false;
    throw error;
  }
};
