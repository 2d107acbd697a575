import { createHash, randomBytes } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import type { SignOutReason } from '../../../../shared/auth/sign-out-reason.ts';
import { isInvited, type StoredUser } from '../../../../shared/auth/user.ts';
import { assertPasswordSignIn } from '../../../../shared/auth/ways-in.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { nothingPending, releaseEmails } from '../record/email-change.ts';
import { endFactors } from '../record/end-factors.ts';
import { alertWrite } from '../record/security-alert.ts';
import * as users from '../record/users.ts';
import { invalidLinkError, tokenPattern } from './link-token.ts';
import { getSignInPlace, preparePlaceCodes, recognizePlace } from './sign-in-places.ts';

const hourMs = 60 * 60_000;

/** The links for setting a password without a session, with their path and lifetime (decisions.md#recovery). */
const kinds = {
  reset: { path: '/reset', lifetimeMs: hourMs },
  /** Valid only for an account that nothing signs in to yet. */
  invitation: { path: '/invite', lifetimeMs: 7 * 24 * hourMs },
} as const;

export type LinkKind = keyof typeof kinds;

/**
 * How a link reaches its user. One sent to the address proves it, and so does one that an operator makes, which works also
 * while passwords are off; one that an administrator passes on doesn't.
 */
const ways = ['sent', 'passed-on', 'by-operator'] as const;

type Way = (typeof ways)[number];

/**
 * Returns the hash that is stored of a link. It covers the kind, the way and the email address, so that a link is valid for
 * its own kind only, and a change of the address invalidates it in any order of the writes.
 */
const hashLink = (kind: LinkKind, way: Way, secret: string, email: string): string =>
  createHash('sha256').update(`${kind} ${way} ${secret} ${email}`).digest('base64url');

const createLink = async (
  kind: LinkKind,
  userId: number,
  sentTo: string | undefined,
  way: Way = 'sent',
): Promise<string | undefined> => {
  const email = sentTo ?? (await users.find(userId))?.email;
  if (email === undefined) return undefined;
  const { path, lifetimeMs } = kinds[kind];
  const secret = randomBytes(32).toString('base64url');
  const unusedCondition =
    kind === 'invitation'
      ? ' AND attribute_not_exists(passwordHash) AND attribute_not_exists(hasIdentity) AND attribute_not_exists(lastLoginAt)'
      : '';
  const { written } = await conditionalUpdate({
    Key: userKeys.record.at({ id: userId }),
    UpdateExpression: 'SET passwordTokenHash = :hash, passwordTokenExpiresAt = :expiresAt',
    ConditionExpression: `attribute_exists(pk) AND email = :email${unusedCondition}`,
    ExpressionAttributeValues: {
      ':hash': hashLink(kind, way, secret, email),
      ':expiresAt': new Date(Date.now() + lifetimeMs).toISOString(),
      ':email': email,
    },
  });
  return written ? `${getSetting('PUBLIC_URL')}${path}?token=${userId}.${secret}` : undefined;
};

/**
 * Creates a link for setting a new password, valid once and for an hour. A newer link or a change of the email address ends
 * it. Returns `undefined` if the user doesn't exist, or no longer has the address `sentTo`.
 */
export const createResetLink = (userId: number, sentTo?: string): Promise<string | undefined> =>
  createLink('reset', userId, sentTo);

/** Creates such a link for an operator, which sets a password and signs in also while passwords are off. */
export const createOperatorLink = (userId: number): Promise<string | undefined> =>
  createLink('reset', userId, undefined, 'by-operator');

/**
 * Creates such a link for a user whom nothing signs in yet, valid for 7 days. Returns `undefined` also for any other user. One for an administrator to pass on proves no address.
 */
export const createInvitationLink = (
  userId: number,
  sentTo?: string,
  way?: Way,
): Promise<string | undefined> => createLink('invitation', userId, sentTo, way);

/** An account and the valid link that a token belongs to. */
export interface Redeemable {
  readonly user: StoredUser;
  readonly hash: string;
  readonly kind: LinkKind;
  /** Whether using the link proves the email address. */
  readonly isProof: boolean;
}

/**
 * Finds the account of a token of one of the accepted kinds, without using the token.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used, replaced by a newer one or expired; FORBIDDEN while
 *   passwords are off, unless an operator made the link
 */
export const readToken = async (
  token: string,
  accepted: readonly LinkKind[],
): Promise<Redeemable> => {
  const [, id, secret = ''] = token.match(tokenPattern) ?? [];
  if (id === undefined) throw invalidLinkError();
  const user = await users.find(Number(id));
  if (!user?.passwordTokenHash || (user.passwordTokenExpiresAt ?? '') <= new Date().toISOString())
    throw invalidLinkError();
  const found = accepted
    .flatMap((kind) => ways.map((way) => ({ kind, way })))
    .find(({ kind, way }) => hashLink(kind, way, secret, user.email) === user.passwordTokenHash);
  if (!found) throw invalidLinkError();
  const { kind, way } = found;
  if (way !== 'by-operator') assertPasswordSignIn();
  if (kind === 'invitation' && !isInvited(user)) throw invalidLinkError();
  return { user, hash: user.passwordTokenHash, kind, isProof: way !== 'passed-on' };
};

const retryOnConflict = createRetry('The account is being modified. Try again.');

/**
 * Sets a new password with the token of a link, and ends every session, API token, calendar feed and pending email address. A
 * link that proves the address for the first time also ends the undo links, the known places, the second factors and connected
 * accounts, which someone else may have set up (decisions.md#proven-addresses). The account knows the client's place from then on. It creates no session, but returns
 * the account as it is now, for one.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used, replaced by a newer one or expired;
 * SERVICE_UNAVAILABLE after repeated conflicts
 */
export const resetPassword = async (
  token: string,
  password: string,
  accepted: readonly LinkKind[],
  client: Pick<ClientInfo, 'ip' | 'userAgent'>,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  // Rejects invalid tokens before the costly hash; the condition of the write decides.
  let found = await readToken(token, accepted);
  const passwordHash = await hashPassword(password);
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  return retryOnConflict(async () => {
    const { user, hash, kind, isProof } = found;
    const now = new Date().toISOString();
    const isFirstProof = isProof && user.emailVerifiedAt === undefined;
    const endsFactors = isFirstProof && user.factorEpoch !== undefined;
    const known = isFirstProof ? undefined : user.signInPlaces;
    const { places } = recognizePlace(known, getCodes(user.id));
    const sets = [
      ...(isFirstProof ? ['emailVerifiedAt = :now'] : []),
      ...(endsFactors ? ['factorEpoch = factorEpoch + :one'] : []),
      ...(places ? ['signInPlaces = :places'] : []),
    ];
    const placesUnchanged = user.signInPlaces
      ? 'signInPlaces = :known'
      : 'attribute_not_exists(signInPlaces)';
    const factorsUnchanged = isFirstProof
      ? ` AND ${endsFactors ? 'factorEpoch = :factors' : 'attribute_not_exists(factorEpoch)'}`
      : '';
    const removes = [
      'passwordTokenHash',
      'passwordTokenExpiresAt',
      ...Object.keys(nothingPending),
      ...(isFirstProof ? ['formerEmails'] : []),
      ...(endsFactors ? ['secondFactors', 'hasIdentity'] : []),
    ];
    const refused = await transact([
      {
        write: {
          Update: {
            TableName: tableName(),
            Key: userKeys.record.at({ id: user.id }),
            UpdateExpression: `SET passwordHash = :passwordHash, sessionEpoch = sessionEpoch + :one, sessionsEndedBy = :reason, tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, version = version + :one, updatedAt = :now${sets.map((one) => `, ${one}`).join('')} REMOVE ${removes.join(', ')}`,
            // A concurrent sign-in may have added a place, and a stranger's session a second factor.
            ConditionExpression: `attribute_exists(pk) AND passwordTokenHash = :hash AND email = :email AND ${placesUnchanged}${factorsUnchanged}`,
            ExpressionAttributeValues: {
              ':passwordHash': passwordHash,
              ':hash': hash,
              ':email': user.email,
              ':one': 1,
              ':reason': 'password' satisfies SignOutReason,
              ':zero': 0,
              ':now': now,
              ...(places && { ':places': places }),
              ...(user.signInPlaces && { ':known': user.signInPlaces }),
              ...(endsFactors && { ':factors': user.factorEpoch }),
            },
          },
        },
        refused: 'changed',
      },
      ...(isFirstProof ? releaseEmails(user, [user.email]) : []),
      ...(endsFactors ? await endFactors(user) : []),
      kind === 'reset' ? alertWrite(user, 'password-reset') : undefined,
      // The request has no session, so the link identifies the user.
      ...recorder.steps({
        subject: `user:${user.id}`,
        actor: user,
        after: {
          password: 'changed',
          link: kind,
          ...(isFirstProof && { emailVerifiedAt: now }),
          ...(endsFactors && { secondFactors: 'ended' }),
        },
      }),
    ]);
    if (!refused) {
      const { signInPlaces: _, secondFactors, hasIdentity, factorEpoch = 0, ...rest } = user;
      const signInPlaces = places ?? known;
      const sessionEpoch = user.sessionEpoch + 1;
      const factors = endsFactors
        ? { factorEpoch: factorEpoch + 1 }
        : {
            ...(factorEpoch > 0 && { factorEpoch }),
            ...(secondFactors && { secondFactors }),
            ...(hasIdentity && { hasIdentity }),
          };
      return {
        ...rest,
        ...factors,
        passwordHash,
        sessionEpoch,
        ...(signInPlaces && { signInPlaces }),
      };
    }
    // Throws if the link is no longer valid.
    found = await readToken(token, accepted);
    return undefined;
  });
};
