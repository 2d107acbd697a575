import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, vi } from 'vitest';
import { connectIdentity } from '../../../functions/api/auth/identities/connect-identity.ts';
import type {
  AnswerUse,
  ConnectOutcome,
  Identity,
} from '../../../functions/api/auth/identities/identity.ts';
import { passkeyKeys } from '../../../functions/api/auth/passkeys/keys.ts';
import { createTokens } from '../../../functions/api/auth/sessions.ts';
import {
  type IdentityOutcome,
  signInByIdentity,
} from '../../../functions/api/auth/sign-in-by-identity.ts';
import { createChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { type Claims, verifyToken } from '../../../shared/auth/tokens.ts';
import { createItemWrite } from '../../../shared/db/transaction.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { Provider } from '../../../shared/runtime/provider-settings.ts';
import { type Answer, call } from '../service/call.ts';
import { newEmail } from '../users/test-users.ts';

/** The provider of the tests, as `useProvider` sets it. */
export const acme: Provider = {
  name: 'acme',
  issuer: 'https://id.acme.example',
  clientId: 'handbill',
  label: 'Acme',
  provesAll: false,
  isMultiTenant: false,
};

/** Another provider. */
export const globex: Provider = {
  ...acme,
  name: 'globex',
  issuer: 'https://id.globex.example',
  label: 'Globex',
};

/** The settings of both. */
export const providerSettings = {
  OIDC_ACME_ISSUER: acme.issuer,
  OIDC_ACME_CLIENT_ID: acme.clientId,
  OIDC_GLOBEX_ISSUER: globex.issuer,
  OIDC_GLOBEX_CLIENT_ID: globex.clientId,
} as const;

/** Sets both providers for this test file. */
export const useProviders = (): void => {
  beforeEach(() => {
    for (const [name, value] of Object.entries(providerSettings)) vi.stubEnv(name, value);
  });
  afterEach(() => vi.unstubAllEnvs());
};

/** Runs a function while both providers are set. */
export const whileProvidersAreSet = async <Result>(
  work: () => Promise<Result>,
): Promise<Result> => {
  Object.assign(process.env, providerSettings);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(providerSettings)) delete process.env[name];
  }
};

/** Someone who has signed in at the provider, with an address that it has proven. */
export const newIdentity = (fields: Partial<Identity> = {}): Identity => ({
  provider: acme,
  subject: randomUUID(),
  email: newEmail(),
  isEmailProven: true,
  name: 'Carla Example',
  roleValues: undefined,
  ...fields,
});

/** Uses an answer of the provider up, as the callback does. */
export const useOnce = (id: string = randomUUID()): AnswerUse => ({
  write: createItemWrite(passkeyKeys.usedChallenge.at({ hash: id }), {}),
  refused: () => new AppError('VALIDATION_ERROR', 'This sign-in was used before.'),
});

const client = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: undefined, isService: false };

const recorder = () =>
  createChangeRecorder('session.create', undefined, { address: client.ip, requestId: 'request' });

/** Signs in by an identity. */
export const signInAs = (
  identity: Identity,
  { device, use = useOnce() }: { readonly device?: string; readonly use?: AnswerUse } = {},
): Promise<IdentityOutcome> => signInByIdentity(identity, { device, use }, client, recorder());

/** Signs in by an identity, which must succeed. */
export const signedInAs = async (
  identity: Identity,
): Promise<Extract<IdentityOutcome, { kind: 'signed-in' }>> => {
  const outcome = await signInAs(identity);
  if (outcome.kind !== 'signed-in') throw new Error(JSON.stringify(outcome));
  return outcome;
};

/** Connects an identity with what a connecting token says. */
export const connectAs = (
  identity: Identity,
  by: Pick<Claims<'connect'>, 'sub' | 'se' | 'fe' | 'sid'>,
  use: AnswerUse = useOnce(),
): Promise<ConnectOutcome> => connectIdentity(identity, by, use, client, recorder());

/** Returns what a connecting token of a session says. */
export const connecting = async (
  token: string,
  epochs: { readonly se?: number; readonly fe?: number } = {},
): Promise<Pick<Claims<'connect'>, 'sub' | 'se' | 'fe' | 'sid'>> => {
  const { sub, sid } = await verifyToken('access', token);
  return { sub, sid, se: 0, fe: 0, ...epochs };
};

/** The access token of a sign-in. */
export const tokenOf = async ({
  user,
  session,
}: Awaited<ReturnType<typeof signedInAs>>): Promise<string> =>
  (await createTokens(session, user)).accessToken;

/** Connects a new identity with the account of a session, which nothing else was connected with. */
export const connectNew = async (
  token: string,
  fields: Partial<Identity> = {},
): Promise<Identity> => {
  const identity = newIdentity(fields);
  const outcome = await connectAs(identity, await connecting(token));
  if (outcome.kind !== 'connected') throw new Error(JSON.stringify(outcome));
  return identity;
};

export const readIdentities = (token: string): Promise<Answer> =>
  call('GET /api/auth/identities', { token });

export const beginConnecting = (token: string, provider = acme.name): Promise<Answer> =>
  call('POST /api/auth/identities/{provider}', { token, params: { provider } });

export const disconnect = (token: string, provider = acme.name): Promise<Answer> =>
  call('DELETE /api/auth/identities/{provider}', { token, params: { provider } });
