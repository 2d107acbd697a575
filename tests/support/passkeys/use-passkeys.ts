import { pass } from '../run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { refresh } from '../users/account.ts';
import type { Person } from '../users/test-users.ts';
import { createPasskey, type Deviation, type Options, type Passkey } from './authenticator.ts';

/** What the service sends before a ceremony. */
export interface Ceremony {
  readonly challengeToken: string;
  readonly options: Options;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns a token of the same session when its sign-in, and each proof so far, is too old to change factors. */
export const whenUnproven = async ({
  refreshToken,
}: Pick<Person, 'refreshToken'>): Promise<string> => {
  pass(15 * 60_000);
  return (await refresh(refreshToken)).body.accessToken;
};

/** Asks for the options of a new passkey. */
export const newOptions = (token: string, body: Fields = {}): Promise<Answer> =>
  call('POST /api/auth/passkeys/options', { token, body });

/** Sends a new passkey to the service. */
export const sendNew = (
  token: string,
  { challengeToken, options }: Ceremony,
  passkey: Passkey,
  {
    fields = {},
    client = {},
    ...deviation
  }: Deviation & { fields?: Fields; client?: CallOptions } = {},
): Promise<Answer> =>
  call('POST /api/auth/passkeys', {
    token,
    body: { challengeToken, response: passkey.create(options, deviation), ...fields },
    ...client,
  });

/** Adds a passkey to an account and returns it. */
export const addPasskey = async (token: string, fields: Fields = {}): Promise<Passkey> => {
  const passkey = createPasskey();
  const { body } = await newOptions(token);
  const { status } = await sendNew(token, body.data, passkey, { fields });
  if (status !== 201) throw new Error(`Adding a passkey returned ${status}`);
  return passkey;
};

/** Asks for the options of a sign-in: alone, or with the token of the second step. */
export const signInOptions = async (mfaToken?: string): Promise<Ceremony> =>
  (
    await call('POST /api/auth/login/passkey/options', {
      body: mfaToken === undefined ? {} : { mfaToken },
    })
  ).body.data;

/** Signs in by a passkey alone. */
export const signInBy = (
  passkey: Passkey,
  { challengeToken, options }: Ceremony,
  deviation: Deviation = {},
): Promise<Answer> =>
  call('POST /api/auth/login/passkey', {
    body: { challengeToken, response: passkey.sign(options, deviation) },
  });

/** Asks for the options of a proof of who is signed in. */
export const proofOptions = async (token: string): Promise<Ceremony> =>
  (await call('POST /api/auth/reauthenticate/options', { token })).body.data;

/** Proves by a passkey who is signed in. */
export const prove = (
  token: string,
  passkey: Passkey,
  { challengeToken, options }: Ceremony,
  deviation: Deviation = {},
): Promise<Answer> =>
  call('POST /api/auth/reauthenticate', {
    token,
    body: { passkey: { challengeToken, response: passkey.sign(options, deviation) } },
  });

/** Completes a sign-in by a passkey as second factor. */
export const completeBy = (
  mfaToken: string,
  passkey: Passkey,
  { challengeToken, options }: Ceremony,
  deviation: Deviation = {},
): Promise<Answer> =>
  call('POST /api/auth/mfa', {
    body: { mfaToken, passkey: { challengeToken, response: passkey.sign(options, deviation) } },
  });

export const listPasskeys = (token: string): Promise<Answer> =>
  call('GET /api/auth/factors', { token });

/** Returns the only passkey of an account, as its owner sees it. */
export const ownPasskey = async (token: string) => {
  const { passkeys } = (await listPasskeys(token)).body.data;
  return passkeys[0] as { readonly id: string; readonly name: string };
};
