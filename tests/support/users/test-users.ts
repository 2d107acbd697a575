import { randomUUID } from 'node:crypto';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { create, type NewUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { limitKeys } from '../../../shared/http/keys.ts';
import { keepSecret } from '../run/secrets.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';

/** Creates an address that no other test uses. */
export const newEmail = (): string => `ann-${randomUUID()}@example.com`;

export const password = 'correct horse';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
}

const toPerson = ({ body }: Answer): Person => ({
  id: body.user.id,
  email: body.user.email,
  token: body.accessToken,
  refreshToken: body.refreshToken,
});

export const register = (
  email: string,
  fields: object = {},
  client: CallOptions = {},
): Promise<Answer> =>
  call('POST /api/auth/register', {
    body: { email, name: 'Ann Example', password, confirmPassword: password, ...fields },
    ...client,
  });

/** Registers a user. */
export const newPerson = async (email = newEmail()): Promise<Person> =>
  toPerson(await register(email));

/** Sets fields of a stored user directly in the table. */
export const setUser = async (
  id: number,
  fields: {
    readonly role?: string;
    readonly status?: string;
    readonly emailVerifiedAt?: string;
    readonly deletesAt?: string;
  },
): Promise<void> => {
  for (const [field, value] of Object.entries(fields)) {
    await documentClient().send(
      new UpdateCommand({
        TableName: tableName(),
        Key: userKeys.record.at({ id }),
        UpdateExpression: 'SET #field = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#field': field },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  }
};

/** Registers a user whose address counts as proven. */
export const newVerified = async (email = newEmail()): Promise<Person> => {
  const person = await newPerson(email);
  await setUser(person.id, { emailVerifiedAt: new Date().toISOString() });
  return person;
};

/** Resets the rate limit of the shared client address, because the clock of the tests stands still or goes back. */
export const forgetSignIns = async (): Promise<void> => {
  const Key = limitKeys.bucket.at({ limit: 'login-address', who: '192.0.2.1' });
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key }));
};

/** Creates a user who has no password and never signed in, with all index entries and totals. */
export const newInvited = (fields: Partial<NewUser> = {}): Promise<StoredUser> =>
  create(
    { email: newEmail(), name: 'Bob Example', role: 'user', ...fields },
    systemRecorder('user.create'),
  );

let hashing: Promise<string> | undefined;

/** Creates a user like `newInvited`, with the password of the tests. */
export const newAccount = async (fields: Partial<NewUser> = {}): Promise<StoredUser> => {
  hashing ??= hashPassword(password);
  const passwordHash = await hashing;
  keepSecret('password hash', passwordHash);
  return newInvited({ passwordHash, ...fields });
};

/** The permissions to create, update and delete records of these groups. */
export const writing = (...groups: readonly string[]): string[] =>
  groups.flatMap((group) => ['create', 'update', 'delete'].map((action) => `${group}:${action}`));

/** What an administrator needs to get into the account of another user, beside all that this user may do. */
export const reading = ['documents:manage', 'files:manage', 'calendar:manage', 'shares:manage'];

/** Creates and signs in a user of a role. */
export const newUserOf = async (role: string, fields: Partial<NewUser> = {}): Promise<Person> => {
  const { email } = await newAccount({ ...fields, role });
  await forgetSignIns();
  return toPerson(await login(email));
};

export const login = (
  email: string,
  given: string = password,
  client: CallOptions = {},
): Promise<Answer> => call('POST /api/auth/login', { body: { email, password: given }, ...client });
