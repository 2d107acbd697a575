// The key of a sealed share. It is in the fragment of the address, and never sent: the service gets a proof of it.
import { fromBase64url, toBase64url } from '../../../../shared/sealed/base64url.ts';
import { envelopeVersion, SealedError } from '../../../../shared/sealed/envelope.ts';

const keyBytes = 32;

/** The rounds of PBKDF2 with SHA-256 (OWASP, 2023). A quarter of a second on a laptop, a second on a small phone. */
const rounds = 600_000;

/** What the fragment of an address says: 256 random bits, and whether a passphrase joins them. */
interface Fragment {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hasPassphrase: boolean;
}

/** A key that opens envelopes and proves itself to the service. Its bytes can’t be read. */
export interface SealKey {
  readonly hasPassphrase: boolean;
  /** Returns as many bytes for a purpose, by HKDF. */
  derive(
    purpose: string,
    salt: Uint8Array<ArrayBuffer>,
    bytes: number,
  ): Promise<Uint8Array<ArrayBuffer>>;
}

const none = new Uint8Array(0);

/** Creates the fragment of a new share’s address, without its `#`. */
export const createFragment = ({ hasPassphrase }: Pick<Fragment, 'hasPassphrase'>): string => {
  const random = crypto.getRandomValues(new Uint8Array(keyBytes));
  return `${hasPassphrase ? 'p' : 'k'}${envelopeVersion}.${toBase64url(random)}`;
};

/** Reads a fragment, with or without its `#`. Returns `undefined` for one that is no key. */
export const parseFragment = (text: string): Fragment | undefined => {
  const [, kind, version, encoded = ''] = /^#?([kp])(\d)\.([\w-]{43})$/.exec(text) ?? [];
  const bytes = fromBase64url(encoded);
  if (Number(version) !== envelopeVersion || bytes?.length !== keyBytes) return undefined;
  return { bytes, hasPassphrase: kind === 'p' };
};

/** Creates what derives bytes from a secret; the version is part of each purpose. */
const createDerive = async (secret: Uint8Array<ArrayBuffer>): Promise<SealKey['derive']> => {
  const imported = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return async (purpose, salt, bytes) => {
    const info = new TextEncoder().encode(`handbill-sealed/${envelopeVersion} ${purpose}`);
    const how = { name: 'HKDF', hash: 'SHA-256', salt, info };
    return new Uint8Array(await crypto.subtle.deriveBits(how, imported, bytes * 8));
  };
};

/** Stretches a passphrase. Its salt follows from the key: a reader has nothing else before the proof. */
const stretch = async (
  passphrase: string,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> => {
  // Keyboards write one letter in several ways.
  const typed = new TextEncoder().encode(passphrase.normalize('NFC'));
  const imported = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds };
  return new Uint8Array(await crypto.subtle.deriveBits(how, imported, keyBytes * 8));
};

/**
 * Reads the key of a fragment, joined with the passphrase if it asks for one.
 * @throws SealedError `key` for no fragment of a key, and for a passphrase that is missing or not asked for
 */
export const readKey = async (fragment: string, passphrase?: string): Promise<SealKey> => {
  const parsed = parseFragment(fragment);
  if (!parsed) throw new SealedError('key', 'The address has no key.');
  const { bytes, hasPassphrase } = parsed;
  if (hasPassphrase !== (passphrase !== undefined && passphrase !== '')) {
    throw new SealedError(
      'key',
      hasPassphrase ? 'Passphrase required.' : 'It takes no passphrase.',
    );
  }
  if (passphrase === undefined) return { hasPassphrase, derive: await createDerive(bytes) };
  const salt = await (await createDerive(bytes))('passphrase salt', none, keyBytes);
  const stretched = await stretch(passphrase, salt);
  return { hasPassphrase, derive: await createDerive(new Uint8Array([...bytes, ...stretched])) };
};

/** Returns what the service stores a hash of, and releases an envelope for: `proof`, and the header `X-Share-Proof`. */
export const toProof = async ({ derive }: SealKey): Promise<string> =>
  toBase64url(await derive('proof', none, keyBytes));
