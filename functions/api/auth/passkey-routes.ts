import * as z from 'zod';
import { assertReauthenticated } from '../../../shared/auth/reauthentication.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { ownPasswordLimit } from '../users/limits.ts';
import { AuthResponse, toAuthResponse } from './auth-response.ts';
import { EnrolledFactor, Factors, toFactors } from './factors/schemas.ts';
import { getWithFactors } from './factors/stored-factors.ts';
import { optionsLimits, signInLimits } from './passkeys/limits.ts';
import {
  CreatePasskeyInput,
  NewPasskeyOptions,
  NewPasskeyOptionsInput,
  PasskeyId,
  PasskeyOptions,
  PasskeyProof,
  RenamePasskeyInput,
  SignInOptionsInput,
} from './passkeys/schemas.ts';

const needsProof = {
  FORBIDDEN:
    'An API token is used; with the code `REAUTHENTICATION_REQUIRED`, you must prove again who you are, by `POST /api/auth/reauthenticate`.',
};

const noHostName = 'The service is reached at an IP address, for which there are no passkeys';

// Each is loaded with its first request: sign-ins by a password need none of it.
const loadManagement = () => import('./passkeys/manage.ts');
const loadSignIn = () => import('./passkey-sign-in.ts');
const loadProof = () => import('./passkeys/prove.ts');

/** The routes of passkeys: the caller's own, which API tokens can't use, and the sign-in by one. */
export const passkeyRoutes = [
  route({
    endpoint: 'POST /api/auth/passkeys/options',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Get options for a new passkey',
    description:
      'Returns what `navigator.credentials.create()` needs, for 5 minutes. Passkeys are bound to the host name of PUBLIC_URL.',
    body: NewPasskeyOptionsInput,
    output: NewPasskeyOptions,
    errors: { ...needsProof, CONFLICT: `You have 10 passkeys. ${noHostName}.` },
    limits: [ownPasswordLimit],
    // Nothing changes before the passkey is added, which is audited.
    auditAction: 'none',
    handle: async ({ actor, body }) => {
      await assertReauthenticated(actor, body.currentPassword);
      const { createOptions } = await loadManagement();
      return success(await createOptions(actor));
    },
  }),
  route({
    endpoint: 'POST /api/auth/passkeys',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Create a passkey',
    description:
      'Takes what `navigator.credentials.create()` returned. From then on, the passkey signs in alone, and a second factor is asked for after the password. With your first factor, the response has ten recovery codes. You can have up to 10 passkeys.',
    status: 201,
    body: CreatePasskeyInput,
    output: EnrolledFactor,
    errors: {
      ...needsProof,
      CONFLICT: `The passkey was added before, or you have 10. ${noHostName}.`,
    },
    auditAction: 'factor.create',
    handle: async ({ actor, body, client, recorder }) => {
      // Someone else may have got the options before the first factor was set up.
      assertStepUp(actor);
      const { addPasskey } = await loadManagement();
      const { factors, codes } = await addPasskey(actor, body, client, recorder);
      return success({ factors: toFactors(factors), codes }, 'Passkey added');
    },
  }),
  route({
    endpoint: 'PUT /api/auth/passkeys/{id}',
    access: 'session',
    summary: 'Change a passkey’s name',
    description: 'Nothing else changes.',
    params: z.object({ id: PasskeyId }),
    body: RenamePasskeyInput,
    output: Success(Factors),
    auditAction: 'factor.rename',
    handle: async ({ actor, params, body, recorder }) => {
      const { renamePasskey } = await loadManagement();
      const factors = await renamePasskey(actor, params.id, body.name, recorder);
      return success(toFactors(factors), 'Passkey renamed');
    },
  }),
  route({
    endpoint: 'DELETE /api/auth/passkeys/{id}',
    access: 'session',
    summary: 'Remove a passkey',
    description:
      'It can no longer sign in. If it is your last factor, the recovery codes end, too.',
    params: z.object({ id: PasskeyId }),
    output: Success(Factors),
    errors: needsProof,
    auditAction: 'factor.delete',
    handle: async ({ actor, params, recorder }) => {
      await assertReauthenticated(actor, undefined);
      const { removePasskey } = await loadManagement();
      return success(toFactors(await removePasskey(actor, params.id, recorder)), 'Passkey removed');
    },
  }),
  route({
    endpoint: 'POST /api/auth/login/passkey/options',
    access: 'public',
    summary: 'Get options for a passkey',
    description:
      'Returns what `navigator.credentials.get()` needs, for 5 minutes: for a passkey alone, or with `mfaToken` for a second factor, which `POST /api/auth/mfa` takes.',
    body: SignInOptionsInput,
    output: PasskeyOptions,
    errors: {
      UNAUTHORIZED: 'The `mfaToken` is over 5 minutes old, or the account has changed since.',
      CONFLICT: `The account has no passkey. ${noHostName}.`,
    },
    limits: optionsLimits,
    // A challenge is nothing before it is used.
    auditAction: 'none',
    handle: async ({ body }) => {
      if (body.mfaToken == null) {
        const { createSignInOptions } = await loadSignIn();
        return success(await createSignInOptions());
      }
      const [{ createProofOptions }, { readSecondStep }] = await Promise.all([
        loadProof(),
        import('./factors/second-step.ts'),
      ]);
      return success(await createProofOptions(await readSecondStep(body.mfaToken), 'second'));
    },
  }),
  route({
    endpoint: 'POST /api/auth/login/passkey',
    access: 'public',
    summary: 'Sign in by passkey',
    description:
      'Signs in by a passkey alone, without a name or a password. It counts as both factors, so the authenticator must have checked who uses it, by a PIN, a fingerprint or a face. Failed attempts are audited.',
    body: PasskeyProof,
    output: AuthResponse,
    errors: {
      UNAUTHORIZED:
        'The passkey is unknown or was removed, its response is of another page, its account isn’t active, or the authenticator didn’t check who uses it.',
      FORBIDDEN: 'The passkey counts backwards, so a copy of it seems to be in use.',
      CONFLICT: `${noHostName}.`,
    },
    limits: signInLimits,
    auditAction: 'session.create',
    handle: async ({ body, client, recorder }) => {
      const { signIn } = await loadSignIn();
      return toAuthResponse(await signIn(body, client, recorder), 'Signed in');
    },
  }),
  route({
    endpoint: 'POST /api/auth/reauthenticate/options',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Get options to verify by passkey',
    description:
      'Returns what `navigator.credentials.get()` needs, for 5 minutes. `POST /api/auth/reauthenticate` takes the result.',
    output: PasskeyOptions,
    errors: { CONFLICT: `You have no passkey. ${noHostName}.` },
    // A challenge is nothing before it is used.
    auditAction: 'none',
    handle: async ({ actor }) => {
      const { createProofOptions } = await loadProof();
      return success(await createProofOptions(await getWithFactors(actor.user.id), 'prove'));
    },
  }),
];
