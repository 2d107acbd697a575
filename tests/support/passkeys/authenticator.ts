import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { toCbor } from './cbor.ts';

/** What a page and its authenticator do otherwise than the service asks. */
export interface Deviation {
  /** The origin of the page; that of the service by default. */
  readonly origin?: string;
  /** The host that the authenticator takes the page for; that of the options by default. */
  readonly rpId?: string;
  /** The challenge that is signed; that of the options by default. */
  readonly challenge?: string;
  /** Whether the user proved to be the owner, such as by a PIN; `true` by default. */
  readonly isVerified?: boolean;
  /** How often the passkey says to have signed; by default it doesn't count. */
  readonly counter?: number;
  /** The user whom the passkey says to be of (Base64url). */
  readonly userHandle?: string | undefined;
  /** What the authenticator says of its make: nothing by default. `packed` comes with a signature that proves nothing. */
  readonly format?: 'packed';
}

/** The options of the service, as far as an authenticator reads them. */
export interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** A passkey in an authenticator of these tests. */
export interface Passkey {
  readonly id: string;
  /** Returns the response to the options of a new passkey. */
  create(options: Options, deviation?: Deviation): Record<string, unknown>;
  /** Returns the response to the options of a sign-in or a proof. */
  sign(options: Options, deviation?: Deviation): Record<string, unknown>;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const toBase64Url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url');

const toUint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** The flags of the authenticator data. https://www.w3.org/TR/webauthn-3/#authdata-flags */
const flags = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** The key of an ES256 passkey in COSE (RFC 9053, 7.1.1). */
const toCose = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return toCbor(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
};

const createClientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** Creates a passkey as a browser and a synced authenticator make it for a page of `serviceOrigin`: ES256, no attestation. */
export const createPasskey = (serviceOrigin = process.env['PUBLIC_URL'] ?? ''): Passkey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let owner: string | undefined;

  const toAuthenticatorData = (
    options: Options,
    { rpId, isVerified = true, counter = 0 }: Deviation,
    attested: Uint8Array = Buffer.alloc(0),
  ): Buffer =>
    Buffer.concat([
      sha256(rpId ?? options.rpId ?? options.rp?.id ?? ''),
      Buffer.from([
        flags.present |
          (isVerified ? flags.verified : 0) |
          flags.eligible |
          flags.backedUp |
          (attested.length > 0 ? flags.attested : 0),
      ]),
      toUint(counter, 4),
      attested,
    ]);

  const frame = { id: toBase64Url(id), rawId: toBase64Url(id), type: 'public-key' };

  return {
    id: frame.id,
    create(options, deviation = {}) {
      owner = options.user?.id;
      const attested = Buffer.concat([
        Buffer.alloc(16),
        toUint(id.length, 2),
        id,
        toCose(publicKey),
      ]);
      const { challenge = options.challenge, origin = serviceOrigin } = deviation;
      const { format } = deviation;
      const statement = format
        ? ([
            ['alg', -7],
            ['sig', randomBytes(70)],
          ] as const)
        : [];
      const attestation = new Map<string, string | Uint8Array | Map<string, number | Uint8Array>>([
        ['fmt', format ?? 'none'],
        ['attStmt', new Map<string, number | Uint8Array>(statement)],
        ['authData', toAuthenticatorData(options, deviation, attested)],
      ]);
      return {
        ...frame,
        response: {
          clientDataJSON: toBase64Url(createClientData('webauthn.create', challenge, origin)),
          attestationObject: toBase64Url(toCbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
        clientExtensionResults: {},
      };
    },
    sign(options, deviation = {}) {
      const { challenge = options.challenge, origin = serviceOrigin } = deviation;
      const data = toAuthenticatorData(options, deviation);
      const client = createClientData('webauthn.get', challenge, origin);
      return {
        ...frame,
        response: {
          clientDataJSON: toBase64Url(client),
          authenticatorData: toBase64Url(data),
          signature: toBase64Url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle: 'userHandle' in deviation ? deviation.userHandle : owner,
        },
        clientExtensionResults: {},
      };
    },
  };
};
