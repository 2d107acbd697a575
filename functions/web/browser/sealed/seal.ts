// Sealing and opening envelopes (sealed.md). WebCrypto only, so that it runs on pages, in workers and in Node.js 20.
import { fromBase64url, toBase64url } from '../../../../shared/sealed/base64url.ts';
import {
  type EnvelopeHeader,
  parseEnvelope,
  SealedError,
  writeStart,
} from '../../../../shared/sealed/envelope.ts';
import type { SealKey } from './key.ts';
import { pad, unpad } from './padding.ts';

const idBytes = 16;
const keyBytes = 32;
const nonceBytes = 12;

/** A sealed envelope, and the id by which another one names it. */
export interface Sealed {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What an envelope says of itself, without what sealing it decides. */
type SealedAs = Pick<EnvelopeHeader, 'kind' | 'language'>;

/** An opened envelope. */
interface Opened {
  readonly header: EnvelopeHeader;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Returns the key of one envelope, and how it is used. Its id is random, so no key encrypts twice. */
const toCipher = async (
  { derive }: SealKey,
  id: Uint8Array<ArrayBuffer>,
  additionalData: Uint8Array<ArrayBuffer>,
  use: 'encrypt' | 'decrypt',
) => {
  const derived = await derive('content', id, keyBytes + nonceBytes);
  const key = derived.subarray(0, keyBytes);
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, [use]);
  const how = { name: 'AES-GCM', iv: derived.subarray(keyBytes), additionalData, tagLength: 128 };
  return { imported, how };
};

/** Seals bytes in an envelope of their own. */
export const seal = async (
  key: SealKey,
  { kind, language }: SealedAs,
  content: Uint8Array,
): Promise<Sealed> => {
  const random = crypto.getRandomValues(new Uint8Array(idBytes));
  const id = toBase64url(random);
  const start = writeStart({
    id,
    kind,
    ...(language !== undefined && { language }),
    passphrase: key.hasPassphrase,
  });
  const { imported, how } = await toCipher(key, random, start, 'encrypt');
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(how, imported, pad(content)));
  const bytes = new Uint8Array(start.length + ciphertext.length);
  bytes.set(start);
  bytes.set(ciphertext, start.length);
  return { id, bytes };
};

/**
 * Opens an envelope. Nothing of it is returned before all of it is authenticated: content, version, id, kind, language and
 * whether a passphrase joined the key.
 * @throws SealedError `format` or `version` for bytes that are no envelope; `mismatch` for one of another kind or key; `key` for
 *   one that this key doesn’t open, or that was changed
 */
export const open = async (
  key: SealKey,
  kind: EnvelopeHeader['kind'],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Opened> => {
  const { header, associated, ciphertext } = parseEnvelope(bytes);
  if (header.kind !== kind) throw new SealedError('mismatch', `It holds a ${header.kind}.`);
  if (header.passphrase !== key.hasPassphrase) {
    throw new SealedError('mismatch', 'It was sealed with another kind of key.');
  }
  const id = fromBase64url(header.id) ?? new Uint8Array(0);
  const { imported, how } = await toCipher(key, id, associated, 'decrypt');
  let padded: ArrayBuffer;
  try {
    padded = await crypto.subtle.decrypt(how, imported, ciphertext);
  } catch (cause) {
    const error = new SealedError('key', 'The key doesn’t open it, or it was changed.');
    error.cause = cause;
    throw error;
  }
  return { header, content: unpad(new Uint8Array(padded)) };
};
