// What is sealed: the text of a share with the names of its files, and each of these by itself.
import { fromBase64url, toBase64url } from '../../../../shared/sealed/base64url.ts';
import {
  maxEnvelopeLength,
  SealedError,
  sealedFileName,
} from '../../../../shared/sealed/envelope.ts';
import type { SealKey } from './key.ts';
import { open, type Sealed, seal } from './seal.ts';

/** A file of a sealed share, as the envelope of its content names it. */
export interface SealedFile {
  /** Its path in the share, which tells nothing. */
  readonly path: string;
  /** The id of its envelope. */
  readonly id: string;
  /** What it is called. It comes from the author: show it as a text, and save it by its last part. */
  readonly name: string;
  readonly type: string;
  /** Its bytes before they were sealed. */
  readonly size: number;
}

/** The content of a sealed share. */
export interface SealedContent {
  readonly language: 'html' | 'markdown';
  readonly text: string;
  readonly files: readonly SealedFile[];
}

/** Seals the content of a share. Returns the envelope in base64url, which is its `content`. */
export const sealContent = async (
  key: SealKey,
  { language, text, files }: SealedContent,
): Promise<string> => {
  const named = files.map(({ path, id, name, type, size }) => ({ path, id, name, type, size }));
  const json = JSON.stringify({ text, files: named });
  const { bytes } = await seal(key, { kind: 'content', language }, new TextEncoder().encode(json));
  const envelope = toBase64url(bytes);
  if (envelope.length <= maxEnvelopeLength) return envelope;
  throw new SealedError('format', 'The text is too long to be sealed. Add it as a file.');
};

/** Seals a file. Its path in the share is any that `sealedFileName` allows and the share has only once. */
export const sealFile = (key: SealKey, bytes: Uint8Array): Promise<Sealed> =>
  seal(key, { kind: 'file' }, bytes);

const invalid = (): SealedError => new SealedError('format', 'What it holds is invalid.');

const parseJson = (content: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    throw invalid();
  }
};

const toFile = (value: unknown): SealedFile => {
  if (typeof value !== 'object' || value === null) throw invalid();
  const { path, id, name, type, size } = value as Readonly<Record<string, unknown>>;
  const isFile =
    typeof path === 'string' &&
    sealedFileName.test(path) &&
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof type === 'string' &&
    typeof size === 'number';
  if (!isFile) throw invalid();
  return { path, id, name, type, size };
};

/** Opens the content of a share. @throws SealedError as `open` */
export const openContent = async (key: SealKey, envelope: string): Promise<SealedContent> => {
  const bytes = fromBase64url(envelope);
  if (!bytes) throw new SealedError('format', 'It is not in base64url.');
  const { header, content } = await open(key, 'content', bytes);
  const value = parseJson(content);
  if (typeof value !== 'object' || value === null) throw invalid();
  const { text, files } = value as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string' || !Array.isArray(files) || !header.language) throw invalid();
  return { language: header.language, text, files: files.map(toFile) };
};

/**
 * Opens a file of an opened content.
 * @throws SealedError as `open`; `mismatch` for another file in its place
 */
export const openFile = async (
  key: SealKey,
  { id, size }: Pick<SealedFile, 'id' | 'size'>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { header, content } = await open(key, 'file', bytes);
  if (header.id === id && content.length === size) return content;
  throw new SealedError('mismatch', 'Another file is in its place.');
};
