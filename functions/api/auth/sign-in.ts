import { trackActivity } from '../../../shared/activity/track.ts';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { StoredSession } from '../../../shared/auth/actor.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { isTold } from '../../../shared/auth/notification-settings.ts';
import { hashPassword, isOutdated, isPassword } from '../../../shared/auth/passwords.ts';
import type { ProofMethod } from '../../../shared/auth/second-factors.ts';
import { canSignIn, type StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Step, transact } from '../../../shared/db/transaction.ts';
import { getWideNetwork } from '../../../shared/http/network.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { takeUnseen } from '../../../shared/http/unseen-limit.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  getSignInPlace,
  isKnown,
  preparePlaceCodes,
  recognizePlace,
} from '../users/account/sign-in-places.ts';
import { getNewUserPermissions } from '../users/grants.ts';
import { alertWrite } from '../users/record/security-alert.ts';
import * as users from '../users/record/users.ts';
import { createSecondStep, type SecondStep } from './factors/second-step.ts';
import { isTrustedDevice } from './factors/trusted-device.ts';
import { placeLimit } from './limits.ts';
import * as sessions from './sessions.ts';
import type { SignInMethod } from './sign-in-history.ts';

/** A user who has just signed in, and the session. */
export interface SignedIn {
  readonly user: StoredUser;
  readonly session: StoredSession;
}

/** What someone who signs in has proven. */
export interface Proof {
  /** The password that was entered, to rehash an outdated hash of it. */
  readonly password?: string;
  /** How the sign-in began, if not by the password. */
  readonly method?: Extract<SignInMethod, 'passkey' | 'link' | 'provider' | 'email'>;
  /** The name of the provider, if its account signed in. */
  readonly provider?: string;
  /** What a second factor was proven by, if it was. `device`: one that isn't asked for one. */
  readonly factor?: ProofMethod | 'device';
  /** The writes that use the proof up. If one of them is refused, nothing is written. */
  readonly uses?: readonly (Step | Step<'changed'>)[];
}

/**
 * Creates an account with the role `user` and the setting NEW_USER_PERMISSIONS, and signs in, in one transaction.
 * @throws AppError CONFLICT if the email address is taken, in any case
 */
export const register = async (
  { email, name, password }: { email: string; name: string; password: string },
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn> => {
  const passwordHash = await hashPassword(password);
  const toSession = sessions.create(client);
  const role = 'user';
  const extraPermissions = getNewUserPermissions(role, undefined);
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  const user = await users.create(
    {
      email,
      name,
      passwordHash,
      role,
      extraPermissions,
      lastLoginAt: new Date().toISOString(),
    },
    recorder,
    (account) => [sessions.put(toSession(account))],
    (id) => recognizePlace(undefined, getCodes(id)).places,
    { after: describeDevice(client) },
  );
  return { user, session: toSession(user) };
};

const maxAttempts = 4;

const invalidCredentials = () => new AppError('UNAUTHORIZED', 'Incorrect email or password.');

const getFailureReason = (user: StoredUser | undefined, matches: boolean): string => {
  if (!user) return 'unknown email address';
  if (user.passwordHash === undefined) return 'no password set';
  if (!matches) return 'wrong password';
  return canSignIn(user) ? 'too many attempts' : `account ${user.status}`;
};

/**
 * Audits a failed sign-in, with the same writes for any account. An unknown address is not stored, not even as a hash,
 * because it may be a password typed into the wrong field.
 */
const auditFailedLogin = (
  user: StoredUser | undefined,
  matches: boolean,
  client: ClientInfo,
  recorder: ChangeRecorder,
) =>
  recorder.record({
    subject: user ? `user:${user.id}` : 'user:unknown',
    action: 'session.fail',
    after: { reason: getFailureReason(user, matches), ...describeDevice(client) },
  });

/** Creates the condition that an attribute is still as it was read. */
const isStill = (name: string, value: unknown): string =>
  value === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`;

/**
 * Stores a session for the account as read, and rehashes an outdated password. Returns `undefined` if the account or its second
 * factors have changed since, the account isn't active, or the proof was used. A sign-in from a new place notifies the owner.
 */
export const createSession = async (
  user: StoredUser,
  { password, method, provider, factor, uses = [] }: Proof,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn | undefined> => {
  const isProven = factor !== undefined && factor !== 'device';
  const session = sessions.create(client, { isProven })(user);
  const isRehashed = password !== undefined && isOutdated(user.passwordHash);
  const rehashed = isRehashed ? await hashPassword(password) : undefined;
  const place = getSignInPlace(client);
  const known = user.signInPlaces;
  const { isNew, places } = recognizePlace(known, (await preparePlaceCodes(place))(user.id));
  const sets = [
    'lastLoginAt = :now',
    ...(rehashed === undefined ? [] : ['passwordHash = :rehashed']),
    ...(places ? ['signInPlaces = :places'] : []),
  ];
  // Concurrent sign-ins from a new place send one alert.
  const placesUnchanged = known ? 'signInPlaces = :known' : 'attribute_not_exists(signInPlaces)';
  const refused = await transact([
    // A concurrent suspension must win.
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.record.at({ id: user.id }),
          UpdateExpression: `SET ${sets.join(', ')}`,
          // Whoever has just set up a second factor is asked for it.
          ConditionExpression: `${isStill('passwordHash', user.passwordHash)} AND ${isStill('factorEpoch', user.factorEpoch)} AND #status = :active AND sessionEpoch = :epoch${places ? ` AND ${placesUnchanged}` : ''}`,
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':now': session.createdAt,
            ...(user.passwordHash !== undefined && { ':passwordHash': user.passwordHash }),
            ...(user.factorEpoch !== undefined && { ':factorEpoch': user.factorEpoch }),
            ':rehashed': rehashed,
            ':active': 'active',
            ':epoch': user.sessionEpoch,
            ...(places && { ':places': places, ...(known && { ':known': known }) }),
          },
        },
      },
      refused: 'changed',
    },
    ...uses,
    sessions.put(session),
    isNew && isTold(user.notificationSettings, 'newSignIns')
      ? alertWrite(user, 'new-sign-in', place)
      : undefined,
    ...recorder.steps({
      subject: `user:${user.id}`,
      // Setting a password by a link signs in, too.
      action: 'session.create',
      actor: user,
      after: {
        session: session.id,
        ...(method && { method }),
        ...(provider && { provider }),
        ...(factor && { factor }),
        ...describeDevice(client),
      },
    }),
  ]);
  if (refused) return undefined;
  await trackActivity(client, { counts: ['signIns'] });
  return { user: { ...user, lastLoginAt: session.createdAt }, session };
};

/** Returns whether the account has signed in from the client's place. Takes the same time without an account. */
const isKnownPlace = async (user: StoredUser | undefined, client: ClientInfo): Promise<boolean> => {
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  return isKnown(user?.signInPlaces, getCodes(user?.id ?? 0));
};

/**
 * Signs in. Neither the response nor its time reveals why a sign-in failed: unknown email address, no password, inactive
 * account or wrong password. The audit log does. While the limit of the account is reached, `overLimit`, only a correct
 * password from a known place signs in; everything else gets this refusal after the same time. Whoever has a second factor
 * gets no session but the second step, unless `device` is the cookie of a device that isn't asked.
 * @throws AppError UNAUTHORIZED if the email address or the password is incorrect; RATE_LIMITED
 */
export const login = async (
  {
    email,
    password,
    device,
  }: { readonly email: string; readonly password: string; readonly device?: string | undefined },
  client: ClientInfo,
  recorder: ChangeRecorder,
  overLimit?: AppError,
): Promise<SignedIn | SecondStep> => {
  const place = `${email} ${getWideNetwork(client.ip)}`;
  if (overLimit && !(await takeUnseen(placeLimit, place))) throw overLimit;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const user = await users.findByEmail(email);
    // A concurrent sign-in may have rehashed the password.
    const matches = await isPassword(password, user?.passwordHash);
    const isAllowed = !overLimit || (await isKnownPlace(user, client));
    if (!user || !matches || !canSignIn(user) || !isAllowed) {
      getMetrics().addMetric('LoginFailures', 'Count', 1);
      await auditFailedLogin(user, matches, client, recorder);
      throw overLimit ?? invalidCredentials();
    }
    const isTrusted = user.secondFactors !== undefined && (await isTrustedDevice(user, device));
    if (user.secondFactors && !isTrusted) return createSecondStep(user);
    const proof = { password, ...(isTrusted && { factor: 'device' as const }) };
    const signedIn = await createSession(user, proof, client, recorder);
    // A concurrent sign-out everywhere ends sessions, but doesn't prevent signing in.
    if (signedIn) return signedIn;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The account is being modified. Try again.');
};
