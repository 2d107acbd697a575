import { randomInt } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Role } from '../../shared/permissions.ts';
import { documentClient, keys, tableName } from '../../shared/table.ts';
import { transact, type Write } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';

/** What a new account is made of. The password is hashed already. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly role: Role;
}

const maxTries = 8;
const maxUsernameLength = 32;

/** The local part of the address as a username, with a random number behind it from the second try on. */
const deriveUsername = (email: string, attempt: number): string => {
  const local = email.slice(0, email.indexOf('@'));
  const plain = local.replace(/[^a-z0-9._-]/gi, '').slice(0, maxUsernameLength) || 'user';
  return attempt === 0 ? plain : `${plain}-${randomInt(10 ** (attempt + 3))}`;
};

const putNew = (item: Record<string, unknown>): Write => ({
  Put: {
    TableName: tableName(),
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/**
 * Makes an account, the marker items that keep its e-mail and username unique, and what is to be written alongside,
 * in one transaction. The username is made unique silently.
 * @throws AppError CONFLICT when the e-mail address is taken, whatever its case
 */
export const create = async (
  { email, name, passwordHash, role }: NewUser,
  alongside?: (user: StoredUser) => Write,
): Promise<StoredUser> => {
  const now = new Date().toISOString();
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const user: StoredUser = {
      id: newId(),
      email,
      username: deriveUsername(email, attempt),
      name,
      role,
      extraPermissions: [],
      status: 'active',
      passwordHash,
      createdAt: now,
      updatedAt: now,
      version: 1,
      sessionEpoch: 0,
    };
    const failed = await transact({
      user: putNew({ ...keys.user(user.id), ...user }),
      email: putNew({ ...keys.email(email), userId: user.id }),
      username: putNew({ ...keys.username(user.username), userId: user.id }),
      alongside: alongside?.(user),
    });
    if (!failed) return user;
    if (failed.email) {
      throw new AppError('CONFLICT', 'This e-mail address is registered already', {
        details: [{ field: 'email', message: 'is registered already' }],
      });
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'No free username was found: try again');
};

/** The account of an e-mail address, whatever its case. Two strongly consistent reads. */
export const findByEmail = async (email: string): Promise<StoredUser | undefined> => {
  const read = async (key: { pk: string; sk: string }) =>
    (
      await documentClient().send(
        new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
      )
    ).Item;
  const marker = await read(keys.email(email));
  if (!marker) return undefined;
  return (await read(keys.user(marker['userId']))) as StoredUser | undefined;
};

/** Makes the account a super_admin, unless an account of that e-mail address exists. Says whether it made one. */
export const ensureSuperAdmin = async (account: Omit<NewUser, 'role'>): Promise<boolean> => {
  try {
    await create({ ...account, role: 'super_admin' });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false;
    throw error;
  }
};
