// The outside of sealed envelopes, which tells nothing secret: the service checks by it what it stores.
import { fromBase64url } from './base64url.ts';

/** The version of the format, which is in each envelope and each derivation (functions/web/browser/sealed/sealed.md). */
export const envelopeVersion = 1;

/** `HBS` and the version. */
const magic = new Uint8Array([0x48, 0x42, 0x53, envelopeVersion]);

/** The magic and the length of the header, in bytes. */
const prefixBytes = magic.length + 2;

const maxHeaderBytes = 512;

/** What GCM adds to a text, in bytes. */
const tagBytes = 16;

/** The least bytes of a plaintext, with its length and padding. */
export const minPlaintextBytes = 1_024;

/** The most characters of the envelope of a content: what a request takes. */
export const maxEnvelopeLength = 5 * 1_024 * 1_024;

/** How the files of a sealed share are named: what they are called is in the envelope of its content. */
export const sealedFileName = /^[a-z0-9][a-z0-9-]{0,59}\.sealed$/;

/** What is wrong with an envelope, a key or what they say of each other. */
type SealedProblem = 'format' | 'version' | 'key' | 'mismatch';

/** The error of an envelope that can’t be opened. Nothing of what it holds is told. */
export class SealedError extends Error {
  readonly problem: SealedProblem;

  constructor(problem: SealedProblem, message: string) {
    super(message);
    this.name = 'SealedError';
    this.problem = problem;
  }
}

/** What an envelope says of itself, in clear and authenticated. */
export interface EnvelopeHeader {
  /** 16 random bytes in base64url. */
  readonly id: string;
  readonly kind: 'content' | 'file';
  /** The language of a content; absent of a file. */
  readonly language?: 'html' | 'markdown';
  /** Whether a passphrase joins the key. */
  readonly passphrase: boolean;
}

/** An envelope in its parts. */
interface Envelope {
  readonly header: EnvelopeHeader;
  /** All bytes before the ciphertext, as they are. */
  readonly associated: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

const malformed = (what: string): SealedError =>
  new SealedError('format', `is no sealed envelope: ${what}`);

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 22 && fromBase64url(value)?.length === 16;

/** Reads the JSON of a header. A field that this version doesn’t name is refused: it may change what the others mean. */
const parseHeader = (bytes: Uint8Array): EnvelopeHeader => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed('its header is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw malformed('its header is no object');
  const { id, kind, language, passphrase, ...others } = value as Readonly<Record<string, unknown>>;
  if (!isId(id)) throw malformed('its id is not 16 bytes');
  if (kind !== 'content' && kind !== 'file') throw malformed('its kind is unknown');
  if (typeof passphrase !== 'boolean') throw malformed('its passphrase is neither true nor false');
  if (Object.keys(others).length > 0) throw malformed('its header has an unknown field');
  if (kind === 'file') {
    if (language !== undefined) throw malformed('a file has no language');
    return { id, kind, passphrase };
  }
  if (language !== 'html' && language !== 'markdown') throw malformed('its language is unknown');
  return { id, kind, language, passphrase };
};

/** Whether bytes start as an envelope does. */
export const isEnvelopeStart = (start: Uint8Array): boolean =>
  magic.every((byte, at) => start[at] === byte);

/** Returns where the ciphertext begins. @throws SealedError */
const findCiphertext = (start: Uint8Array): number => {
  if (start.length < prefixBytes) throw malformed('it is too short');
  if (magic.some((byte, at) => at < 3 && start[at] !== byte))
    throw malformed('it starts otherwise');
  if (start[3] !== envelopeVersion) {
    throw new SealedError('version', `has the version ${start[3]}, which is unknown`);
  }
  const length = ((start[4] ?? 0) << 8) | (start[5] ?? 0);
  if (length === 0 || length > maxHeaderBytes) throw malformed('its header has an invalid length');
  return prefixBytes + length;
};

/** The most bytes before the ciphertext. */
const maxStartBytes = prefixBytes + maxHeaderBytes;

/**
 * Reads the header of an envelope of this many bytes from what it starts with, `maxStartBytes` at most.
 * @throws SealedError for bytes that are no envelope of this version
 */
const readHeader = (start: Uint8Array, bytes: number): EnvelopeHeader => {
  const at = findCiphertext(start);
  if (start.length < at || bytes < at + minPlaintextBytes + tagBytes) {
    throw malformed('it is too short');
  }
  return parseHeader(start.subarray(prefixBytes, at));
};

/**
 * Reads the header of an envelope in base64url, and returns it with its bytes. The ciphertext isn’t decoded.
 * @throws SealedError
 */
export const readTextHeader = (text: string): { header: EnvelopeHeader; bytes: number } => {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) throw malformed('it is not in base64url');
  const bytes = Math.floor((text.length * 3) / 4);
  const start = fromBase64url(text.slice(0, Math.ceil(maxStartBytes / 3) * 4));
  if (!start) throw malformed('it is not in base64url');
  return { header: readHeader(start, bytes), bytes };
};

/** Takes an envelope apart. @throws SealedError */
export const parseEnvelope = (bytes: Uint8Array<ArrayBuffer>): Envelope => {
  const header = readHeader(bytes.subarray(0, maxStartBytes), bytes.length);
  const at = findCiphertext(bytes);
  return { header, associated: bytes.slice(0, at), ciphertext: bytes.slice(at) };
};

/** Writes what comes before the ciphertext. */
export const writeStart = (header: EnvelopeHeader): Uint8Array<ArrayBuffer> => {
  const json = new TextEncoder().encode(JSON.stringify(header));
  return new Uint8Array([...magic, json.length >> 8, json.length & 0xff, ...json]);
};
