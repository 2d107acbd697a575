import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { trackActivity } from '../../../shared/activity/track.ts';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { hashPassword, isOutdated, isPassword } from '../../../shared/auth/passwords.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { getNewUserPermissions } from '../users/grants.ts';
import { alertWrite } from '../users/record/security-alert.ts';
import * as users from '../users/record/users.ts';
import type { TokenPair } from './sessions.ts';
import * as sessions from './sessions.ts';
import { getSignInPlace, preparePlaceCodes, recognizePlace } from './sign-in-places.ts';

/** A user who has just signed in, with the tokens of the session. */
export interface SignedIn {
  readonly user: StoredUser;
  readonly tokens: TokenPair;
}

/**
 * Makes an account of the role `user`, with what NEW_USER_PERMISSIONS grants beyond it, and signs it in, in one transaction.
 * @throws AppError CONFLICT when the e-mail address is taken, whatever its case
 */
export const register = async (
  { email, name, password }: { email: string; name: string; password: string },
  client: ClientInfo,
  audit: AuditRecorder,
): Promise<SignedIn> => {
  const passwordHash = await hashPassword(password);
  const sessionOf = sessions.create(client);
  const role = 'user';
  const extraPermissions = getNewUserPermissions(role);
  const codesOf = await preparePlaceCodes(getSignInPlace(client));
  const user = await users.create(
    { email, name, passwordHash, role, extraPermissions },
    audit,
    (account) => sessions.put(sessionOf(account)),
    (id) => recognizePlace(undefined, codesOf(id)).places,
  );
  return { user, tokens: await sessions.createTokens(sessionOf(user)) };
};

const maxTries = 4;

const invalidCredentials = () =>
  new AppError('UNAUTHORIZED', 'The e-mail or the password is wrong');

const loginFailureReason = (user: StoredUser | undefined, matches: boolean): string => {
  if (!user) return 'unknown e-mail address';
  if (user.passwordHash === undefined) return 'no password set';
  return matches ? `account ${user.status}` : 'wrong password';
};

/**
 * Notes a refused login down, in the same writes whoever it is. Of an unknown address nothing is kept, not even a hash:
 * it may be a password in the wrong field.
 */
const auditFailedLogin = (user: StoredUser | undefined, matches: boolean, audit: AuditRecorder) =>
  audit.record({
    subject: user ? `user:${user.id}` : 'user:unknown',
    action: 'session.fail',
    after: { reason: loginFailureReason(user, matches) },
  });

/**
 * Stores a session of the account as it was read, and the password's hash anew where that is outdated; `undefined` when
 * the account has changed since. Where it signs in from a place that it does not know, its owner is notified.
 */
const createSession = async (
  user: StoredUser,
  password: string,
  client: ClientInfo,
  audit: AuditRecorder,
): Promise<SignedIn | undefined> => {
  const session = sessions.create(client)(user);
  const rehashed = isOutdated(user.passwordHash) ? await hashPassword(password) : undefined;
  const place = getSignInPlace(client);
  const known = user.signInPlaces;
  const { isNew, places } = recognizePlace(known, (await preparePlaceCodes(place))(user.id));
  const sets = [
    'lastLoginAt = :now',
    ...(rehashed === undefined ? [] : ['passwordHash = :rehashed']),
    ...(places ? ['signInPlaces = :places'] : []),
  ];
  // Of several sign-ins from a new place at the same time, one finds it new.
  const areSeen = known ? 'signInPlaces = :known' : 'attribute_not_exists(signInPlaces)';
  const failed = await transact({
    // Ties the session to the account as it was checked: a suspension in between wins.
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(user.id),
        UpdateExpression: `SET ${sets.join(', ')}`,
        ConditionExpression: `passwordHash = :hash AND #status = :active AND sessionEpoch = :epoch${places ? ` AND ${areSeen}` : ''}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': session.createdAt,
          ':hash': user.passwordHash,
          ':rehashed': rehashed,
          ':active': 'active',
          ':epoch': user.sessionEpoch,
          ...(places && { ':places': places, ...(known && { ':known': known }) }),
        },
      },
    },
    session: sessions.put(session),
    alert:
      isNew && user.notifyNewSignIns !== false ? alertWrite(user, 'new-sign-in', place) : undefined,
    ...audit.writes({
      subject: `user:${user.id}`,
      actorId: user.id,
      after: { session: session.id },
    }),
  });
  if (failed) return undefined;
  const [tokens] = await Promise.all([
    sessions.createTokens(session),
    trackActivity(client, { counts: ['signIns'] }),
  ]);
  return { user: { ...user, lastLoginAt: session.createdAt }, tokens };
};

/**
 * Signs in. An unknown e-mail, an account without a password or not active, and a wrong password are told apart
 * neither by the answer nor by its time; the audit tells them apart.
 * @throws AppError UNAUTHORIZED when they don't fit
 */
export const login = async (
  { email, password }: { email: string; password: string },
  client: ClientInfo,
  audit: AuditRecorder,
): Promise<SignedIn> => {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const user = await users.findByEmail(email);
    // Looked at in each try: by then the hash may be another one of the same password.
    const matches = await isPassword(password, user?.passwordHash);
    if (!user || !matches || user.status !== 'active') {
      getMetrics().addMetric('LoginFailures', MetricUnit.Count, 1);
      await auditFailedLogin(user, matches, audit);
      throw invalidCredentials();
    }
    const signedIn = await createSession(user, password, client, audit);
    // Who signs out everywhere meanwhile, for one, ends the sessions and not the right to sign in.
    if (signedIn) return signedIn;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The account keeps changing: try again');
};

/**
 * Exchanges a refresh token for new tokens.
 * @throws AppError UNAUTHORIZED when the token or its session is no longer good
 */
export const refresh = async (refreshToken: string, audit: AuditRecorder): Promise<SignedIn> => {
  const { user, session } = await sessions.rotate(refreshToken, audit);
  return { user, tokens: await sessions.createTokens(session) };
};
