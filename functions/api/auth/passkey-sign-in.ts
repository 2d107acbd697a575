import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { canSignIn } from '../../../shared/auth/user.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { findWithFactors, type WithFactors } from './factors/stored-factors.ts';
import { createChallenge, openChallenge } from './passkeys/challenges.ts';
import { toPasskeyOptions } from './passkeys/options.ts';
import { getRelyingParty } from './passkeys/relying-party.ts';
import type { PasskeyProof } from './passkeys/schemas.ts';
import { UnverifiedError } from './passkeys/unverified-error.ts';
import { type CheckedUse, checkUse } from './passkeys/use.ts';
import { parseUserHandle } from './passkeys/user-handle.ts';
import { createSession, type SignedIn } from './sign-in.ts';

/**
 * Creates the options for signing in by a passkey alone, of whomever it is.
 * @throws AppError CONFLICT as `getRelyingParty`
 */
export const createSignInOptions = async () => {
  const rp = getRelyingParty();
  const { challengeToken, challenge } = await createChallenge('sign-in');
  return { challengeToken, options: toPasskeyOptions(rp, challenge) };
};

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

/** The same for each reason, so that nobody learns which accounts and passkeys there are. */
const refused = (cause?: unknown) =>
  new AppError(
    'UNAUTHORIZED',
    'This passkey can’t sign in here. Sign in another way, or ask an administrator.',
    { cause },
  );

const auditFailure = async (
  found: WithFactors | undefined,
  reason: string,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<void> => {
  getMetrics().addMetric('LoginFailures', 'Count', 1);
  await recorder.record({
    subject: found ? `user:${found.user.id}` : 'user:unknown',
    action: 'session.fail',
    after: { reason, method: 'passkey', ...describeDevice(client) },
  });
};

/** Checks a passkey that is to sign in alone. @throws AppError as `signIn` */
const check = async (
  proof: PasskeyProof,
  found: WithFactors,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<CheckedUse> => {
  try {
    return await checkUse(proof, { found, use: 'sign-in' }, recorder);
  } catch (error) {
    if (!(error instanceof UnverifiedError)) throw error;
    await auditFailure(found, 'passkey not verified', client, recorder);
    throw refused(error);
  }
};

/**
 * Signs in by a passkey alone, which names its user. It counts as both factors, so the authenticator must have checked who uses
 * it. The challenge is used up in the transaction that stores the session.
 * @throws AppError VALIDATION_ERROR about `challengeToken`; UNAUTHORIZED if the passkey is unknown or not verified, the account
 *   isn't active, or the authenticator didn't check who uses it; FORBIDDEN if the counter has fallen; CONFLICT as
 *   `getRelyingParty`; SERVICE_UNAVAILABLE after repeated conflicts
 */
export const signIn = (
  proof: PasskeyProof,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn> =>
  retryOnConflict(async () => {
    const userId = parseUserHandle(proof.response.response.userHandle);
    const found = userId === undefined ? undefined : await findWithFactors(userId);
    if (!found) {
      // An old challenge is the caller's to renew, whoever the passkey is of.
      await openChallenge(proof.challengeToken, 'sign-in');
      await auditFailure(undefined, 'unknown passkey', client, recorder);
      throw refused();
    }
    const { isVerified, use, claim } = await check(proof, found, client, recorder);
    if (!canSignIn(found.user)) {
      await auditFailure(found, `account ${found.user.status}`, client, recorder);
      throw refused();
    }
    if (!isVerified) {
      await auditFailure(found, 'passkey without a check of its user', client, recorder);
      throw new AppError(
        'UNAUTHORIZED',
        'Your device didn’t check that it’s you. Use a passkey with a PIN, a fingerprint or your face, or your password.',
      );
    }
    return createSession(
      found.user,
      { method: 'passkey', factor: 'passkey', uses: [use, claim] },
      client,
      recorder,
    );
  });
