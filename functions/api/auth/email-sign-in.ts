import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import {
  isCurrent,
  loadCode,
  type StoredCode,
} from '../../../shared/auth/email-codes/stored-code.ts';
import { type CodeFault, tryCode } from '../../../shared/auth/email-codes/try-code.ts';
import { readToken } from '../../../shared/auth/tokens.ts';
import { canSignIn, type StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Step, transact } from '../../../shared/db/transaction.ts';
import { nextVersion } from '../../../shared/db/versioned-record.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { invalidLinkError } from '../users/account/link-token.ts';
import { getSignInCodePlace } from '../users/account/sign-in-code.ts';
import { endFactors } from '../users/record/end-factors.ts';
import { proveFirst } from '../users/record/first-proof.ts';
import { updateUserWrite } from '../users/record/user-writes.ts';
import * as users from '../users/record/users.ts';
import { createSecondStep, type SecondStep } from './factors/second-step.ts';
import { isTrustedDevice } from './factors/trusted-device.ts';
import { createSession, type SignedIn } from './sign-in.ts';

/** The same for each reason, so that nobody learns which accounts there are. */
const invalidCode = (): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    'Incorrect code, or it has expired. Try again or get a new one.',
    {
      details: [
        { field: 'code', message: 'is incorrect or has expired; try again or get a new one' },
      ],
    },
  );

/** A code or a link that is right: the account as read, whose address it was sent to, and its id. */
interface Redeemable {
  readonly user: StoredUser;
  readonly codeId: string;
  readonly createError: () => AppError;
}

const reasons: Readonly<Record<CodeFault, string>> = {
  incorrect: 'wrong code',
  former: 'former code',
  expired: 'no valid code',
  spent: 'too many attempts',
};

/** Audits a failed sign-in, with the same writes for any account. An unknown address is not stored, as with passwords. */
const auditFailure = async (
  user: StoredUser | undefined,
  reason: string,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<void> => {
  getMetrics().addMetric('LoginFailures', 'Count', 1);
  await recorder.record({
    subject: user ? `user:${user.id}` : 'user:unknown',
    action: 'session.fail',
    after: {
      reason: user ? reason : 'unknown email address',
      method: 'email',
      ...describeDevice(client),
    },
  });
};

/**
 * Tries a code of six digits for the account of an address. Neither the response nor its time reveals why one fails.
 * @throws AppError VALIDATION_ERROR about `code`
 */
const redeemCode = async (
  email: string,
  code: string,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<Redeemable> => {
  const user = await users.findByEmail(email);
  const place = getSignInCodePlace(user ?? { id: users.unknownId, email });
  const tried = await tryCode(place, code.replace(/[\s-]/g, ''));
  if (user && canSignIn(user) && tried.right) {
    return { user, codeId: tried.right.id, createError: invalidCode };
  }
  const reason = tried.right ? `account ${user?.status}` : reasons[tried.fault];
  await auditFailure(user, reason, client, recorder);
  throw invalidCode();
};

const isUsable = (code: StoredCode, id: string, email: string): boolean =>
  code.id === id &&
  code.proofId === email &&
  code.usedAt === undefined &&
  isCurrent(code, Date.now());

/**
 * Finds the account of the link beside a code. It works also if the code was tried too often, because it can't be guessed.
 * @throws AppError VALIDATION_ERROR about `token`
 */
const redeemLink = async (token: string): Promise<Redeemable> => {
  const claims = await readToken('sign-in-link', token);
  if (!claims) throw invalidLinkError();
  const user = await users.findByEmail(claims.email);
  if (!user || !canSignIn(user)) throw invalidLinkError();
  const stored = await loadCode(getSignInCodePlace(user).key);
  if (!stored || !isUsable(stored, claims.code, user.email)) throw invalidLinkError();
  return { user, codeId: stored.id, createError: invalidLinkError };
};

/** Creates the step that uses a code and its link up. A second use is refused. */
const useStep = (user: StoredUser, { codeId, createError }: Redeemable): Step => {
  const { key, proofId } = getSignInCodePlace(user);
  return {
    write: {
      Update: {
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET usedAt = :now',
        ConditionExpression: 'id = :id AND proofId = :proof AND attribute_not_exists(usedAt)',
        ExpressionAttributeValues: { ':now': Date.now(), ':id': codeId, ':proof': proofId },
      },
    },
    refused: createError,
  };
};

/**
 * Proves the address of an account for the first time, which ends all that was there before, its password, too. Returns the
 * account as it is then; `undefined` if it has changed since.
 */
const takeOver = async (
  user: StoredUser,
  use: Step,
  recorder: ChangeRecorder,
): Promise<StoredUser | undefined> => {
  const now = new Date().toISOString();
  const { fields, steps } = proveFirst(user, now);
  const { factorEpoch, passwordHash, hasIdentity } = user;
  const changed = nextVersion(user, {
    ...fields,
    passwordHash: undefined,
    hasIdentity: undefined,
    ...(factorEpoch !== undefined && { factorEpoch: factorEpoch + 1 }),
  });
  const refused = await transact([
    { write: updateUserWrite(user, changed), refused: 'changed' },
    use,
    ...steps,
    ...(factorEpoch === undefined ? [] : await endFactors(user)),
    ...recorder.steps({
      subject: `user:${user.id}`,
      action: 'email.verify',
      actor: user,
      after: {
        emailVerifiedAt: now,
        ...(passwordHash !== undefined && { password: 'ended' }),
        ...(user.secondFactors && { secondFactors: 'ended' }),
        ...(hasIdentity && { identities: 'ended' }),
      },
    }),
  ]);
  return refused ? undefined : changed;
};

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

/** What signs in: the digits for an address, or the token of the link beside them. */
export type EmailProof =
  | { readonly email: string; readonly code: string }
  | { readonly token: string };

/**
 * Signs in by a code or its link, which work once. An address that wasn't proven is proven by that, and all that was there before
 * ends. It replaces the password only: whoever has a second factor gets no session but the second step, unless `device` is the
 * cookie of a device that isn't asked (decisions.md#sign-in-by-email).
 * @throws AppError VALIDATION_ERROR about `code` or `token`; SERVICE_UNAVAILABLE after repeated conflicts
 */
export const signInByEmail = async (
  proof: EmailProof,
  device: string | undefined,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn | SecondStep> => {
  const found =
    'token' in proof
      ? await redeemLink(proof.token)
      : await redeemCode(proof.email, proof.code, client, recorder);
  const began = { method: 'email' } as const;
  let latest: StoredUser | undefined = found.user;
  return retryOnConflict(async () => {
    const user = latest ?? (await users.find(found.user.id));
    latest = undefined;
    if (!user || !canSignIn(user) || user.email !== found.user.email) throw found.createError();
    const use = useStep(user, found);
    if (user.emailVerifiedAt === undefined) {
      const proven = await takeOver(user, use, recorder);
      return proven && createSession(proven, began, client, recorder);
    }
    const isTrusted = user.secondFactors !== undefined && (await isTrustedDevice(user, device));
    if (user.secondFactors && !isTrusted) {
      await transact([use]);
      return createSecondStep(user, began);
    }
    const proven = { ...began, uses: [use], ...(isTrusted && { factor: 'device' as const }) };
    return createSession(user, proven, client, recorder);
  });
};
