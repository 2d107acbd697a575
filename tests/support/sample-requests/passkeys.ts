import { createPasskey } from '../passkeys/authenticator.ts';
import {
  addPasskey,
  completeBy,
  newOptions,
  ownPasskey,
  proofOptions,
  prove,
  sendNew,
  signInBy,
  signInOptions,
} from '../passkeys/use-passkeys.ts';
import { call } from '../service/call.ts';
import { firstStep } from '../users/factors.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

const newOwner = async () => {
  const user = await newUser();
  return { ...user, passkey: await addPasskey(user.token) };
};

/** Prepares a request about the only passkey of a user. */
const ofPasskey = (endpoint: string, body?: unknown) => async () => {
  const { token } = await newOwner();
  const { id } = await ownPasskey(token);
  return () => call(endpoint, { token, params: { id }, ...(body !== undefined && { body }) });
};

export const passkeyCalls: TypicalCalls = {
  'POST /api/auth/passkeys/options': async () => {
    const { token } = await newUser();
    return () => newOptions(token);
  },
  'POST /api/auth/passkeys': async () => {
    const { token } = await newUser();
    const { body } = await newOptions(token);
    return () => sendNew(token, body.data, createPasskey());
  },
  'PUT /api/auth/passkeys/{id}': ofPasskey('PUT /api/auth/passkeys/{id}', { name: 'Laptop' }),
  'DELETE /api/auth/passkeys/{id}': ofPasskey('DELETE /api/auth/passkeys/{id}'),
  'POST /api/auth/login/passkey/options': async () => () =>
    call('POST /api/auth/login/passkey/options', { body: {} }),
  'POST /api/auth/login/passkey/options (as second factor)': async () => {
    const { email } = await newOwner();
    const mfaToken = await firstStep(email);
    return () => call('POST /api/auth/login/passkey/options', { body: { mfaToken } });
  },
  'POST /api/auth/login/passkey': async () => {
    const { passkey } = await newOwner();
    const open = await signInOptions();
    return () => signInBy(passkey, open);
  },
  'POST /api/auth/mfa (by a passkey)': async () => {
    const { email, passkey } = await newOwner();
    const mfaToken = await firstStep(email);
    const open = await signInOptions(mfaToken);
    return () => completeBy(mfaToken, passkey, open);
  },
  'POST /api/auth/reauthenticate/options': async () => {
    const { token } = await newOwner();
    return () => call('POST /api/auth/reauthenticate/options', { token });
  },
  'POST /api/auth/reauthenticate (by a passkey)': async () => {
    const { token, passkey } = await newOwner();
    const open = await proofOptions(token);
    return () => prove(token, passkey, open);
  },
};
