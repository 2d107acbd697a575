import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { Data } from '../client/endpoints.ts';
import { PasskeyError, type PasskeyProblem } from './passkey-error.ts';

/** The options of a new passkey. */
export type NewOptions = Data<'POST /api/auth/passkeys/options'>['options'];

/** The options of a use of a passkey. */
export type UseOptions = Data<'POST /api/auth/login/passkey/options'>['options'];

/** By the names of the browser's errors, where the library finds no more in them. */
const problemsByName: Readonly<Record<string, PasskeyProblem>> = {
  // Browsers don't say whether the user canceled, waited too long or has no passkey here: pages must not learn it.
  NotAllowedError: 'canceled',
  AbortError: 'canceled',
  InvalidStateError: 'alreadyAdded',
  ConstraintError: 'cannotKeep',
  NotSupportedError: 'cannotKeep',
  SecurityError: 'wrongAddress',
};

const toPasskeyError = (error: unknown): PasskeyError => {
  if (error instanceof PasskeyError) return error;
  const { cause } = error as Error;
  const original = error instanceof WebAuthnError && cause instanceof Error ? cause : error;
  return new PasskeyError(problemsByName[(original as Error).name] ?? 'failed', error);
};

const assertSupported = (): void => {
  if (typeof globalThis.PublicKeyCredential !== 'function') throw new PasskeyError('unsupported');
};

/** Lets the user make a passkey. Ends a use that is waiting. @throws PasskeyError */
export const createPasskey = async (options: NewOptions) => {
  assertSupported();
  try {
    return await startRegistration({
      optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
    });
  } catch (error) {
    throw toPasskeyError(error);
  }
};

/**
 * Lets the user use a passkey: at once by a dialog, or when one is chosen among the suggestions of the field whose
 * `autocomplete` ends with `webauthn`. Ends a use that is waiting. @throws PasskeyError
 */
export const usePasskey = async (options: UseOptions, isSuggested = false) => {
  assertSupported();
  try {
    return await startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: isSuggested,
    });
  } catch (error) {
    throw toPasskeyError(error);
  }
};

/** Ends a use that is waiting. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony();
