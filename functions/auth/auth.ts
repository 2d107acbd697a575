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

const maxTries = 4;

const wrongCredentials = () => new AppError('UNAUTHORIZED', 'The e-mail or the password is wrong');

/** Stores a session of the account as it was read; `undefined` when it has changed since. */
const beginSession = async (user: StoredUser, caller: Caller): Promise<SignedIn | undefined> => {
  const session = sessions.begin(caller)(user);
  const failed = await transact({
    // Ties the session to the account as it was checked: a suspension in between wins.
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(user.id),
        UpdateExpression: 'SET lastLoginAt = :now',
        ConditionExpression: 'passwordHash = :hash AND #status = :active AND sessionEpoch = :epoch',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': session.createdAt,
          ':hash': user.passwordHash,
          ':active': 'active',
          ':epoch': user.sessionEpoch,
        },
      },
    },
    session: sessions.put(session),
  });
  if (failed) return undefined;
  const tokens = await sessions.tokensFor(session);
  return { user: { ...user, lastLoginAt: session.createdAt }, tokens };
};

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
  if (!found || !matches) throw wrongCredentials();
  let user: StoredUser | undefined = found;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    if (user?.status !== 'active' || user.passwordHash !== found.passwordHash) {
      throw wrongCredentials();
    }
    const signedIn = await beginSession(user, caller);
    if (signedIn) return signedIn;
    // Signing out everywhere, for one, ends the sessions and not the right to sign in.
    user = await users.find(found.id);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The account keeps changing: try again');
};

/**
 * Exchanges a refresh token for new tokens.
 * @throws AppError UNAUTHORIZED when the token or its session is no longer good
 */
export const refresh = async (refreshToken: string): Promise<SignedIn> => {
  const { user, session } = await sessions.rotate(refreshToken);
  return { user, tokens: await sessions.tokensFor(session) };
};
