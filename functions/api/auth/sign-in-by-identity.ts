import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { canSignIn, isInvited, type StoredUser } from '../../../shared/auth/user.ts';
import { type Step, transact } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import * as users from '../users/record/users.ts';
import { connectAndSignIn } from './connect-and-sign-in.ts';
import { createSecondStep, type SecondStep } from './factors/second-step.ts';
import { findWithFactors } from './factors/stored-factors.ts';
import { isTrustedDevice } from './factors/trusted-device.ts';
import { applyClaimedRole } from './identities/claimed-role.ts';
import type { AnswerUse, Identity, Refusal } from './identities/identity.ts';
import { findAt, findOwner, useStep } from './identities/store.ts';
import { canRegister, registerByIdentity } from './register-by-identity.ts';
import { createSession, type SignedIn } from './sign-in.ts';

/** What follows from a sign-in at a provider. */
export type IdentityOutcome =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  | ({ readonly kind: 'second-step' } & SecondStep)
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** A sign-in at a provider that was checked, and the browser that it is for. */
interface Answer {
  readonly identity: Identity;
  /** The cookie of a device that isn't asked for a second factor. */
  readonly device: string | undefined;
  readonly use: AnswerUse;
  readonly client: ClientInfo;
  readonly recorder: ChangeRecorder;
}

const retryOnConflict = createRetry('The account is being modified. Try again.', 4);

const reasons: Readonly<Record<Refusal, string>> = {
  'no-account': 'no account',
  unproven: 'address not proven by the provider',
  'not-connected': 'account not connected',
  inactive: 'account not active',
};

/** Audits a sign-in that is refused, and uses the answer up. */
const refuse = async (
  { identity, use, client, recorder }: Answer,
  reason: Refusal,
  user?: StoredUser,
): Promise<IdentityOutcome> => {
  getMetrics().addMetric('LoginFailures', 'Count', 1);
  await transact([
    use,
    ...recorder.steps({
      subject: user ? `user:${user.id}` : 'user:unknown',
      action: 'session.fail',
      after: {
        reason: reasons[reason],
        method: 'provider',
        provider: identity.provider.name,
        ...describeDevice(client),
      },
    }),
  ]);
  return { kind: 'refused', reason };
};

/** Signs in to an account as read, or begins its second step. Returns `undefined` if it has changed since. */
const signInTo = async (
  { device, use, identity, client, recorder }: Answer,
  user: StoredUser,
  identityUse: Step<'changed'> | undefined,
): Promise<IdentityOutcome | undefined> => {
  const began = { method: 'provider', provider: identity.provider.name } as const;
  const uses = [use, ...(identityUse ? [identityUse] : [])];
  const isTrusted = user.secondFactors !== undefined && (await isTrustedDevice(user, device));
  if (user.secondFactors && !isTrusted) {
    if (await transact(uses)) return undefined;
    return { kind: 'second-step', ...(await createSecondStep(user, began)) };
  }
  const proof = { ...began, ...(isTrusted && { factor: 'device' as const }), uses };
  const signedIn = await createSession(user, proof, client, recorder);
  return signedIn && { kind: 'signed-in', ...signedIn };
};

/** Signs in one attempt. Returns `undefined` after a concurrent change. */
const attempt = async (answer: Answer): Promise<IdentityOutcome | undefined> => {
  const { identity, use, client, recorder } = answer;
  const known = await findOwner(identity);
  if (known.owner) {
    const { user, factors } = known.owner;
    if (!canSignIn(user)) return refuse(answer, 'inactive', user);
    const asClaimed = await applyClaimedRole(user, identity, recorder);
    return asClaimed && signInTo(answer, asClaimed, useStep(factors, known.hash, identity));
  }
  const { email } = identity;
  // Whether there is an account is nothing for someone who hasn't proven to have its address.
  if (email === undefined || !identity.isEmailProven) return refuse(answer, 'unproven');
  const account = await users.findByEmail(email);
  if (!account) {
    if (!canRegister(email)) return refuse(answer, 'no-account');
    const made = await registerByIdentity(identity, email, known, use, client, recorder);
    return made && { kind: 'signed-in', ...made };
  }
  const found = await findWithFactors(account.id);
  if (found?.user.email !== account.email) return undefined;
  const { user, factors } = found;
  if (!canSignIn(user)) return refuse(answer, 'inactive', user);
  const isProven = user.emailVerifiedAt !== undefined || isInvited(user);
  // An address can pass on to another person, whom the issuer tells apart.
  if (!isProven || findAt(factors, identity.provider.issuer)) {
    return refuse(answer, 'not-connected', user);
  }
  // What signs in for good takes a proof by the second factor, so the owner connects it. Until then it changes nothing.
  if (user.secondFactors) return signInTo(answer, user, undefined);
  const asClaimed = await applyClaimedRole(user, identity, recorder);
  if (!asClaimed) return undefined;
  const as = { user: asClaimed, factors };
  const signedIn = await connectAndSignIn(as, known, identity, use, client, recorder);
  return signedIn && { kind: 'signed-in', ...signedIn };
};

/**
 * Signs in someone whom a provider has signed in. A known identity is its account's; an unknown one is connected with the account
 * of its address if both have proven it, or makes an account where registration allows it (decisions.md#providers). It replaces
 * the password only: a second factor is still asked for. The answer is used up in the transaction of what follows from it.
 * @throws the error of `use`; AppError SERVICE_UNAVAILABLE after repeated conflicts
 */
export const signInByIdentity = (
  identity: Identity,
  { device, use }: { readonly device: string | undefined; readonly use: AnswerUse },
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<IdentityOutcome> =>
  retryOnConflict(() => attempt({ identity, device, use, client, recorder }));
