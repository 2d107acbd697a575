import type { Client } from '../client/client.ts';
import type { Data } from '../client/endpoints.ts';
import { loadCeremonies } from './load.ts';

/** The client of the page, which lets the user sign in again once the session has ended. */
type Api = Pick<Client, 'call'>;

/** The caller's factors after a passkey was added, and the recovery codes if it is the first factor. */
export type AddedPasskey = Data<'POST /api/auth/passkeys'>;

/** What a new passkey takes beside the user's consent. */
export interface AddOptions {
  /** By default, that of the device. */
  readonly name?: string | undefined;
  /** Of a user without a second factor who signed in over 15 minutes ago. */
  readonly currentPassword?: string | undefined;
}

/**
 * Lets the user make a passkey on this device or another, and adds it.
 * @throws ApiError, with the code `REAUTHENTICATION_REQUIRED` if the user must first prove who they are; PasskeyError
 */
export const addPasskey = async (
  api: Api,
  { name, currentPassword }: AddOptions = {},
): Promise<AddedPasskey> => {
  const [{ createPasskey }, { challengeToken, options }] = await Promise.all([
    loadCeremonies(),
    api.call('POST /api/auth/passkeys/options', {
      body: { ...(currentPassword !== undefined && { currentPassword }) },
    }),
  ]);
  const response = await createPasskey(options);
  return api.call('POST /api/auth/passkeys', {
    body: { challengeToken, response, ...(name !== undefined && { name }) },
  });
};

/**
 * Lets the user prove by a passkey who they are, for 15 minutes.
 * @throws ApiError; PasskeyError
 */
export const proveByPasskey = async (api: Api): Promise<void> => {
  const [{ usePasskey }, { challengeToken, options }] = await Promise.all([
    loadCeremonies(),
    api.call('POST /api/auth/reauthenticate/options'),
  ]);
  const response = await usePasskey(options);
  await api.call('POST /api/auth/reauthenticate', {
    body: { passkey: { challengeToken, response } },
  });
};
