import { AppError } from '../../shared/errors.ts';
import { hashPassword, isPassword } from '../../shared/passwords.ts';
import type { Caller } from '../../shared/route.ts';
import { keys, tableName } from '../../shared/table.ts';
import { transact } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';
import * as users from '../users/users.ts';
import type { TokenPair } from './sessions.ts';
import * as sessions from './sessions.ts';

/** A user who has just signed in, with the tokens of the session. */
export interface SignedIn {
  readonly user: StoredUser;
  readonly tokens: TokenPair;
}

/**
 * Makes an account of the role `user` and signs it in, in one transaction.
 * @throws AppError CONFLICT when the e-mail address is taken, whatever its case
 */
export const register = async (
  { email, name, password }: { email: string; name: string; password: string },
  caller: Caller,
): Promise<SignedIn> => {
  const passwordHash = await hashPassword(password);
  const sessionOf = sessions.begin(caller);
  const user = await users.create({ email, name, passwordHash, role: 'user' }, (account) =>
    sessions.put(sessionOf(account)),
  );
  return { user, tokens: await sessions.tokensFor(sessionOf(user)) };
};

const wrongCredentials = () => new AppError('UNAUTHORIZED', 'The e-mail or the password is wrong');

/**
 * Signs in. An unknown e-mail, an account without a password or not active, and a wrong password are told apart
 * neither by the answer nor by its time.
 * @throws AppError UNAUTHORIZED when they don't fit
 */
export const login = async (
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<SignedIn> => {
  const found = await users.findByEmail(email);
  const matches = await isPassword(password, found?.passwordHash);
  if (!found || !matches || found.status !== 'active') throw wrongCredentials();
  const session = sessions.begin(caller)(found);
  const failed = await transact({
    // Ties the session to the account as it was checked: a suspension in between wins.
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(found.id),
        UpdateExpression: 'SET lastLoginAt = :now',
        ConditionExpression: 'passwordHash = :hash AND #status = :active AND sessionEpoch = :epoch',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': session.createdAt,
          ':hash': found.passwordHash,
          ':active': 'active',
          ':epoch': found.sessionEpoch,
        },
      },
    },
    session: sessions.put(session),
  });
  if (failed) throw wrongCredentials();
  const user = { ...found, lastLoginAt: session.createdAt };
  return { user, tokens: await sessions.tokensFor(session) };
};

/**
 * Exchanges a refresh token for new tokens.
 * @throws AppError UNAUTHORIZED when the token or its session is no longer good
 */
export const refresh = async (refreshToken: string): Promise<SignedIn> => {
  const { user, session } = await sessions.rotate(refreshToken);
  return { user, tokens: await sessions.tokensFor(session) };
};
