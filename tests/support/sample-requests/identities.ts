import { listProviders } from '../../../shared/runtime/provider-settings.ts';
import {
  beginConnecting,
  connectNew,
  disconnect,
  readIdentities,
} from '../identities/identities.ts';
import { sampleProvider, whileSampleProviderIsSet } from '../issuer/sample-issuer.ts';
import type { Answer } from '../service/call.ts';
import { newUser, nextEmail, type TypicalCalls } from './sample-request.ts';

const { name } = sampleProvider;

/** Connects an account of the sample provider with that of a user. */
export const connectSample = (token: string) =>
  whileSampleProviderIsSet(async () => {
    const [provider] = listProviders();
    return connectNew(token, { email: nextEmail(), ...(provider && { provider }) });
  });

/** Prepares a request of a user who has connected an account. */
const ofConnected = (send: (token: string) => Promise<Answer>) => async () => {
  const { token } = await newUser();
  await connectSample(token);
  return () => whileSampleProviderIsSet(() => send(token));
};

export const identityCalls: TypicalCalls = {
  'GET /api/auth/identities': ofConnected(readIdentities),
  'POST /api/auth/identities/{provider}': async () => {
    const { token } = await newUser();
    return () => whileSampleProviderIsSet(() => beginConnecting(token, name));
  },
  'DELETE /api/auth/identities/{provider}': ofConnected((token) => disconnect(token, name)),
};
