import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import type { StoredPasskey } from '../factors/stored-factors.ts';
import { algorithms } from './options.ts';
import type { RelyingParty } from './relying-party.ts';
import type { NewPasskeyResponse, PasskeyResponse } from './schemas.ts';
import { UnverifiedError } from './unverified-error.ts';

/** What a passkey's response must be about. */
export interface Expected {
  /** The challenge that it signs (Base64url). */
  readonly challenge: string;
  readonly rp: RelyingParty;
}

const unverified = (cause: unknown) =>
  new UnverifiedError('The response of a passkey could not be verified', { cause });

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'));

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/**
 * Returns an attestation object without what its manufacturer says of the authenticator. Browsers leave it out where none is
 * asked for, except some that sign for themselves. Nothing would follow from it, and checking it asks hosts that it names.
 */
const withoutAttestation = (attestationObject: string): string => {
  const authData = decodeAttestationObject(toBytes(attestationObject)).get('authData');
  if (!(authData instanceof Uint8Array)) throw new Error('No authenticator data');
  return toText(
    isoCBOR.encode(
      new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    ),
  );
};

/**
 * Verifies that a new passkey was made for this origin, host and challenge, and returns what is stored of it.
 * @throws UnverifiedError
 */
export const verifyNew = async (
  { response, ...frame }: NewPasskeyResponse,
  { challenge, rp }: Expected,
): Promise<Omit<StoredPasskey, 'name' | 'createdAt'>> => {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...frame,
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: withoutAttestation(response.attestationObject),
        },
        clientExtensionResults: {},
      } satisfies RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // As second factor, a security key without a PIN will do; alone, each use must be verified.
      requireUserVerification: false,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!registrationInfo) throw new Error('Not verified');
    const { credential, credentialBackedUp } = registrationInfo;
    if (credential.id !== frame.id) throw new Error('The ids differ');
    return {
      credentialId: credential.id,
      publicKey: toText(credential.publicKey),
      counter: credential.counter,
      ...(response.transports && { transports: response.transports }),
      isSynced: credentialBackedUp,
    };
  } catch (error) {
    throw unverified(error);
  }
};

/** What a use of a passkey says of it. */
export interface Use {
  /** How often it has signed, as it says itself; 0 if it doesn't count. */
  readonly counter: number;
  /** Whether the authenticator has checked who uses it, such as by a PIN. */
  readonly isVerified: boolean;
  readonly isSynced: boolean;
}

/**
 * Verifies that a passkey has signed this challenge for this origin and host.
 * @throws UnverifiedError
 */
export const verifyUse = async (
  { response, ...frame }: PasskeyResponse,
  { credentialId, publicKey }: Pick<StoredPasskey, 'credentialId' | 'publicKey'>,
  { challenge, rp }: Expected,
): Promise<Use> => {
  try {
    if (frame.id !== credentialId) throw new Error('The ids differ');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...frame,
        response: {
          clientDataJSON: response.clientDataJSON,
          authenticatorData: response.authenticatorData,
          signature: response.signature,
        },
        clientExtensionResults: {},
      } satisfies AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // What follows from the counter and a missing check is told to the owner, so only once the signature is right.
      credential: { id: credentialId, publicKey: toBytes(publicKey), counter: 0 },
      requireUserVerification: false,
    });
    if (!verified) throw new Error('The signature is wrong');
    return {
      counter: authenticationInfo.newCounter,
      isVerified: authenticationInfo.userVerified,
      isSynced: authenticationInfo.credentialBackedUp,
    };
  } catch (error) {
    throw unverified(error);
  }
};
