import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { hasUsablePassword } from '../../../../shared/auth/step-up.ts';
import { signToken } from '../../../../shared/auth/tokens.ts';
import { isEmailSignInOn } from '../../../../shared/auth/ways-in.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  findProvider,
  listProviders,
  type Provider,
} from '../../../../shared/runtime/provider-settings.ts';
import { freeIdentities } from '../../users/record/end-factors.ts';
import { changeFactors } from '../factors/change-factors.ts';
import { getEpochs } from '../factors/second-step.ts';
import { getWithFactors, type WithFactors } from '../factors/stored-factors.ts';
import { canHavePasskeys } from '../passkeys/relying-party.ts';
import { findAt } from './store.ts';

/** As long as a sign-in at a provider may take. */
const connectMs = 10 * 60_000;

/** @throws AppError NOT_FOUND */
const getProvider = (name: string): Provider => {
  const provider = findProvider(name);
  if (!provider) throw new AppError('NOT_FOUND', 'Provider not found.');
  return provider;
};

/**
 * Returns whether something signs in beside one connected account: a password, a passkey, a code by email, or another account at a
 * provider of the settings.
 */
export const canDisconnect = ({ user, factors }: WithFactors): boolean =>
  hasUsablePassword(user) ||
  (canHavePasskeys() && Object.keys(factors.passkeys ?? {}).length > 0) ||
  isEmailSignInOn() ||
  listProviders().filter(({ issuer }) => findAt(factors, issuer)).length > 1;

/**
 * Returns where the caller, who must have proven who they are, connects an account at a provider. The address has a token of this
 * session, which ends with each change of the account's sessions and factors.
 * @throws AppError NOT_FOUND without the provider; CONFLICT if an account of it is connected
 */
export const beginConnecting = async (
  { user: { id }, sessionId }: SessionActor,
  name: string,
): Promise<string> => {
  const provider = getProvider(name);
  const { user, factors } = await getWithFactors(id);
  if (findAt(factors, provider.issuer)) {
    throw new AppError(
      'CONFLICT',
      `An account at ${provider.label} is connected. Disconnect it first.`,
    );
  }
  const connect = await signToken(
    'connect',
    { ...getEpochs(user), sid: sessionId, pro: provider.name },
    connectMs,
  );
  const query = new URLSearchParams({ connect, next: '/account?tab=security' });
  return `/login/${provider.name}?${query}`;
};

/**
 * Disconnects the caller's account at a provider. The owner is told; sessions stay.
 * @throws AppError NOT_FOUND without the provider, or an account at it; CONFLICT if nothing else signs in
 */
export const disconnect = (
  { user: { id } }: SessionActor,
  name: string,
  recorder: ChangeRecorder,
): Promise<WithFactors> => {
  const { issuer, label } = getProvider(name);
  return changeFactors(
    id,
    (found) => {
      const { identities = {}, ...kept } = found.factors;
      const removed = findAt(found.factors, issuer);
      if (!removed) throw new AppError('NOT_FOUND', `No account at ${label} is connected.`);
      if (!canDisconnect(found)) {
        throw new AppError('CONFLICT', 'Set a password or passkey first.');
      }
      const { [removed.hash]: _, ...others } = identities;
      return {
        factors: { ...kept, ...(Object.keys(others).length > 0 && { identities: others }) },
        before: { provider: name },
        alert: 'identity-removed',
        alertName: label,
        steps: freeIdentities(id, [removed.hash]),
      };
    },
    recorder,
  );
};
