import { type Change, difference } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { Caller } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { setting } from '../../../shared/runtime/settings.ts';
import { badToken, type Redeemable, readToken } from '../users/account/password-link.ts';
import { indexWrites } from '../users/record/user-index.ts';
import * as auth from './auth.ts';
import * as sessions from './sessions.ts';
import { getSignInPlace, preparePlaceCodes, recognize } from './sign-in-places.ts';

/** What somebody who registers says of themselves; `token` is that of an invitation. */
export interface Registration {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly token?: string | null | undefined;
}

const maxTries = 4;

/** Completes the account as it was read and signs it in; `undefined` when it has changed since. */
const complete = async (
  { user, hash }: Redeemable,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string },
  caller: Caller,
  change: Change,
): Promise<auth.SignedIn | undefined> => {
  const updatedAt = new Date().toISOString();
  const { resetHash: _, resetExpiresAt: __, ...rest } = user;
  const changed: StoredUser = {
    ...rest,
    name,
    passwordHash,
    updatedAt,
    version: user.version + 1,
  };
  const session = sessions.begin(caller)(changed);
  const codesOf = await preparePlaceCodes(getSignInPlace(caller));
  const names = difference(user, changed, ['name']);
  const failed = await transact({
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(user.id),
        UpdateExpression:
          'SET #name = :name, passwordHash = :passwordHash, updatedAt = :now, #version = :next, signInPlaces = :places REMOVE resetHash, resetExpiresAt',
        // Version and epoch tie places in lists and session to the account as it was read.
        ConditionExpression:
          'resetHash = :hash AND attribute_not_exists(passwordHash) AND #version = :seen AND sessionEpoch = :epoch',
        ExpressionAttributeNames: { '#name': 'name', '#version': 'version' },
        ExpressionAttributeValues: {
          ':name': name,
          ':passwordHash': passwordHash,
          ':now': updatedAt,
          ':next': changed.version,
          ':places': recognize(undefined, codesOf(user.id)).places,
          ':hash': hash,
          ':seen': user.version,
          ':epoch': user.sessionEpoch,
        },
      },
    },
    session: sessions.put(session),
    ...indexWrites(user, changed),
    ...change.writes({
      subject: `user:${user.id}`,
      actorId: user.id,
      before: names.before,
      after: { ...names.after, password: 'changed', link: 'invitation', session: session.id },
    }),
  });
  return failed ? undefined : { user: changed, tokens: await sessions.tokensFor(session) };
};

/** The account that was invited, if it is that of the e-mail address and may sign in. */
const readInvitation = async (token: string, email: string): Promise<Redeemable> => {
  const found = await readToken(token, ['invitation']);
  if (found.user.email !== email || found.user.status !== 'active') throw badToken();
  return found;
};

const registerInvited = async (
  { email, name, password }: Registration,
  token: string,
  caller: Caller,
  change: Change,
): Promise<auth.SignedIn> => {
  let found = await readInvitation(token, email);
  const passwordHash = await hashPassword(password);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const signedIn = await complete(found, { name, passwordHash }, caller, change);
    if (signedIn) return signedIn;
    found = await readInvitation(token, email);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The account keeps changing: try again');
};

/**
 * Registers and signs in whom the setting REGISTRATION lets. With the token of an invitation the account that it names
 * is completed by name and password.
 * @throws AppError FORBIDDEN while registration is closed; VALIDATION_ERROR about `token` when it is missing but needed,
 *   or not good for an account of this e-mail address; CONFLICT when the e-mail address is taken, whatever its case
 */
export const register = async (
  input: Registration,
  caller: Caller,
  change: Change,
): Promise<auth.SignedIn> => {
  const mode = setting('REGISTRATION');
  if (mode === 'closed') throw new AppError('FORBIDDEN', 'Registration is closed');
  if (input.token != null) return registerInvited(input, input.token, caller, change);
  if (mode === 'open') return auth.register(input, caller, change);
  throw new AppError('VALIDATION_ERROR', 'Registration is by invitation', {
    details: [{ field: 'token', message: 'is required: registration is by invitation' }],
  });
};
