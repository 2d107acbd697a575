import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
} from 'node:zlib';
import { batchGet, tableName } from '../db/dynamodb.ts';
import { createRandomId } from '../db/ids.ts';
import type { Key } from '../db/key.ts';
import { deleteItemWrite, type Write } from '../db/transaction.ts';
import { getObject, putObject } from './bucket.ts';
import {
  cancelDeletionWrite,
  scheduleDeletion,
  scheduleDeletionWrite,
} from './scheduled-deletions.ts';

const toBrotli = promisify(brotliCompress);
const fromBrotli = promisify(brotliDecompress);

const quality = 4;

/** Up to this size, passing a text to another thread takes longer than its compression. */
const shortBytes = 16 * 1024;

const compress = (text: Buffer): Buffer | Promise<Buffer> => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return text.length <= shortBytes
    ? brotliCompressSync(text, { params })
    : toBrotli(text, { params });
};

const decompress = (packed: Uint8Array, bytes: number): Buffer | Promise<Buffer> =>
  bytes <= shortBytes ? brotliDecompressSync(packed) : fromBrotli(packed);

/**
 * Size of compressed texts in bytes from which they are stored in S3. By list prices, S3 is cheaper from 6 KB for a
 * text that is written once and read once, from 8 KB for ten reads, 13 KB for a hundred and 17 KB for a thousand. Three
 * read units, keys included, are a compromise: larger texts are cheaper in S3 up to a hundred reads; smaller ones save
 * a round trip, for at most $8 per million texts. `npm run bench -- content` shows the figures.
 */
export const s3ThresholdBytes = 12 * 1024 - 128;

/** Texts of a record by name, such as `source` and `html`. */
export type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Size of compressed texts in bytes up to which a record can contain them. With most records they take one write unit
 * together, so that an item of their own would double the cost.
 */
const maxInlineBytes = 512;

/** Where a record's texts are stored: in one item, one object, or the reference itself. Part of the record. */
export interface TextsRef {
  /** Changes with every update. */
  readonly id: string;
  readonly place: 'table' | 'bucket' | 'record';
  /** The texts in stored order, each with its size in bytes (UTF-8). */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
  /** The compressed texts, if the record contains them. */
  readonly packed?: Uint8Array;
}

/** Returns the size of all texts together in bytes (UTF-8). */
export const countTextBytes = ({ parts }: TextsRef): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

const objectKey = (owner: Key, id: string): string =>
  `texts/${owner.pk.replaceAll('#', '/')}/${id}`;

/** Compresses the texts as one: Markdown and its HTML repeat each other, which halves their size. */
const pack = async (texts: Texts): Promise<Pick<TextsRef, 'parts'> & { packed: Buffer }> => {
  const named = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, bytes: Buffer.from(text) }],
  );
  return {
    parts: named.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
    packed: await compress(Buffer.concat(named.map(({ bytes }) => bytes))),
  };
};

/**
 * Compresses texts and returns their reference and the write that stores them, for the transaction that writes their
 * record. Large texts are uploaded first; without the transaction they are deleted within two hours. Short ones need no
 * write if `inRecord`.
 * @throws what S3 throws; nothing is stored then
 */
export const storeTexts = async (
  owner: Key,
  texts: Texts,
  { inRecord = false }: { readonly inRecord?: boolean } = {},
): Promise<{ readonly ref: TextsRef; readonly write: Write | undefined }> => {
  const { parts, packed } = await pack(texts);
  const id = createRandomId();
  if (inRecord && packed.length <= maxInlineBytes) {
    return { ref: { id, place: 'record', parts, packed }, write: undefined };
  }
  if (packed.length < s3ThresholdBytes) {
    const Item = { ...owner, id, packed };
    return { ref: { id, place: 'table', parts }, write: { Put: { TableName: tableName(), Item } } };
  }
  const deletion = await scheduleDeletion(objectKey(owner, id));
  await putObject(deletion.key, packed);
  return { ref: { id, place: 'bucket', parts }, write: cancelDeletionWrite(deletion) };
};

/**
 * Stores texts that expire (ms since 1970), as `storeTexts` does. A small text expires by its TTL, which can take two
 * days longer; a large one is deleted on time.
 */
export const storeTextsUntil = async (
  owner: Key,
  texts: Texts,
  expiresAt: number,
  options: { readonly inRecord?: boolean } = {},
): Promise<{ readonly ref: TextsRef; readonly writes: readonly Write[] }> => {
  const { ref, write } = await storeTexts(owner, texts, options);
  if (!write) return { ref, writes: [] };
  if (ref.place === 'bucket') return { ref, writes: [write, expireObject(owner, ref, expiresAt)] };
  const Item = { ...write.Put?.Item, ttl: Math.ceil(expiresAt / 1_000) };
  return { ref, writes: [{ Put: { TableName: tableName(), Item } }] };
};

/** Creates the write that deletes the object of texts at a time (ms since 1970), whatever item of its partition refers to it. */
export const expireObject = (owner: Key, ref: TextsRef, expiresAt: number): Write =>
  scheduleDeletionWrite(objectKey(owner, ref.id), new Date(expiresAt).toISOString());

/**
 * Creates the write that deletes texts, for the transaction that deletes or replaces them in their record; `undefined`
 * if they are in the record, or the new texts, which `next` refers to, overwrite them.
 */
export const removeTexts = (owner: Key, ref: TextsRef, next?: TextsRef): Write | undefined => {
  if (ref.place === 'record') return undefined;
  if (ref.place === 'bucket') return scheduleDeletionWrite(objectKey(owner, ref.id));
  return next?.place === 'table' ? undefined : deleteItemWrite(owner);
};

/** Compressed texts with the id of their reference, under which they never change. */
export interface PackedTexts {
  readonly id: string;
  readonly packed: Uint8Array;
}

/**
 * Reads the texts of a reference without unpacking them, or returns `undefined` if they no longer exist. `known` is their
 * item, if it was read together with the record, which saves a round trip.
 */
export const readPackedTexts = async (
  owner: Key,
  ref: TextsRef,
  known?: Readonly<Record<string, unknown>> | PackedTexts,
): Promise<PackedTexts | undefined> => {
  if (ref.packed) return { id: ref.id, packed: ref.packed };
  // A change may occur between reading the record and its texts.
  if (known?.['id'] === ref.id) return known as PackedTexts;
  if (ref.place === 'table') {
    const [item] = await batchGet([owner]);
    return item?.['id'] === ref.id ? (item as object as PackedTexts) : undefined;
  }
  const packed = await getObject(objectKey(owner, ref.id));
  return packed && { id: ref.id, packed };
};

/** Unpacks texts by name. */
export const unpackTexts = async <Name extends string>(
  ref: TextsRef,
  { packed }: PackedTexts,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> => {
  const whole = await decompress(packed, countTextBytes(ref));
  const texts: Partial<Record<string, string>> = {};
  let end = 0;
  for (const { name, bytes } of ref.parts) {
    const start = end;
    end += bytes;
    if (names.some((wanted) => wanted === name)) texts[name] = whole.toString('utf8', start, end);
  }
  return texts;
};

/** Reads texts by name, or returns `undefined` if they no longer exist. `known` as in `readPackedTexts`. */
export const readTexts = async <Name extends string>(
  owner: Key,
  ref: TextsRef,
  names: readonly Name[],
  known?: Readonly<Record<string, unknown>>,
): Promise<Partial<Record<Name, string>> | undefined> => {
  const packed = await readPackedTexts(owner, ref, known);
  return packed && unpackTexts(ref, packed, names);
};
