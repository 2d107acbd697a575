import { trackActivity } from '../../../shared/activity/track.ts';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { isInvited } from '../../../shared/auth/user.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import {
  getSignInPlace,
  preparePlaceCodes,
  recognizePlace,
} from '../users/account/sign-in-places.ts';
import { freeIdentities } from '../users/record/end-factors.ts';
import { proveFirst } from '../users/record/first-proof.ts';
import { alertWrite } from '../users/record/security-alert.ts';
import type { WithFactors } from './factors/stored-factors.ts';
import type { AnswerUse, Identity } from './identities/identity.ts';
import { connectSteps, type KnownIdentity } from './identities/store.ts';
import * as sessions from './sessions.ts';
import type { SignedIn } from './sign-in.ts';

/**
 * Connects an identity with the account of its address, and signs in, in one transaction. An invited account is taken: its
 * address is proven, and its invitation ends. Returns `undefined` if the account has changed, or the identity was taken
 * concurrently.
 */
export const connectAndSignIn = async (
  found: WithFactors,
  known: KnownIdentity,
  identity: Identity,
  use: AnswerUse,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<SignedIn | undefined> => {
  const { user: before, factors } = found;
  const now = new Date().toISOString();
  const isFirstProof = before.emailVerifiedAt === undefined;
  const proof = isFirstProof ? proveFirst(before, now) : undefined;
  const getCodes = await preparePlaceCodes(getSignInPlace(client));
  const places = recognizePlace(
    isFirstProof ? undefined : before.signInPlaces,
    getCodes(before.id),
  );
  const { user, steps } = connectSteps(
    found,
    known,
    identity,
    {
      ...proof?.fields,
      lastLoginAt: now,
      ...(places.places && { signInPlaces: places.places }),
      ...(isInvited(before) && { passwordTokenHash: undefined, passwordTokenExpiresAt: undefined }),
    },
    isFirstProof ? {} : factors,
  );
  const session = sessions.create(client)(user);
  const audited = { subject: `user:${user.id}`, actor: before };
  const { label, name: provider } = identity.provider;
  const refused = await transact([
    ...steps,
    use,
    ...(proof?.steps ?? []),
    ...(isFirstProof ? freeIdentities(before.id, Object.keys(factors.identities ?? {})) : []),
    sessions.put(session),
    isInvited(before) ? undefined : alertWrite(before, 'identity-connected', { token: label }),
    ...recorder.steps({
      ...audited,
      action: 'identity.connect',
      after: { provider, ...(isFirstProof && { emailVerifiedAt: now }) },
    }),
    ...recorder.steps({
      ...audited,
      action: 'session.create',
      after: { session: session.id, method: 'provider', provider, ...describeDevice(client) },
    }),
  ]);
  if (refused) return undefined;
  await trackActivity(client, { counts: ['signIns'] });
  return { user, session };
};
