import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { batchGet, tableName } from '../db/dynamodb.ts';
import { createRandomId } from '../db/ids.ts';
import type { Key } from '../db/table.ts';
import { deleteItemWrite, type Write } from '../db/transaction.ts';
import { getObject, putObject } from './bucket.ts';
import {
  cancelDeletionWrite,
  type ScheduledDeletion,
  scheduleDeletion,
  scheduleDeletionWrite,
} from './scheduled-deletions.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const quality = 4;

/**
 * Size of compressed texts in bytes from which they are stored in S3. By list prices, S3 is cheaper from 6 KB for a
 * text that is written once and read once, from 8 KB for ten reads, 13 KB for a hundred and 17 KB for a thousand. Three
 * read units, keys included, are a compromise: larger texts are cheaper in S3 up to a hundred reads; smaller ones save
 * a round trip, for at most $8 per million texts. `npm run bench -- content` shows the figures.
 */
export const s3ThresholdBytes = 12 * 1024 - 128;

/** Texts of a record by name, such as `source` and `html`. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** Where a record's texts are stored: in one item, or each in an object. Part of the record. */
export interface TextsRef {
  /** Changes with every update. */
  readonly id: string;
  readonly place: 'table' | 'bucket';
  readonly names: readonly string[];
}

interface StoredTexts {
  readonly id: string;
  readonly [name: string]: unknown;
}

type Packed = readonly (readonly [string, Buffer])[];

const objectKey = (owner: Key, id: string, name: string): string =>
  `texts/${owner.pk.replaceAll('#', '/')}/${id}/${name}`;

const pack = (texts: Texts): Promise<Packed> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const present = Object.entries(texts).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Promise.all(
    present.map(async ([name, text]) => [name, await compress(text, { params })] as const),
  );
};

const upload = async (owner: Key, id: string, packed: Packed): Promise<ScheduledDeletion[]> =>
  Promise.all(
    packed.map(async ([name, bytes]) => {
      const deletion = await scheduleDeletion(objectKey(owner, id, name));
      await putObject(deletion.key, bytes);
      return deletion;
    }),
  );

/**
 * Compresses texts and returns their reference and the writes that store them, for the transaction that writes their
 * record. Large texts are uploaded first; without the transaction they are deleted within two hours.
 * @throws what S3 throws; nothing is stored then
 */
export const storeTexts = async (
  owner: Key,
  texts: Texts,
): Promise<{
  readonly ref: TextsRef;
  readonly writes: readonly Write[];
}> => {
  const packed = await pack(texts);
  const id = createRandomId();
  const names = packed.map(([name]) => name);
  const bytes = packed.reduce((sum, [, one]) => sum + one.length, 0);
  if (bytes < s3ThresholdBytes) {
    const Item = { ...owner, id, ...Object.fromEntries(packed) };
    return {
      ref: { id, place: 'table', names },
      writes: [{ Put: { TableName: tableName(), Item } }],
    };
  }
  const deletions = await upload(owner, id, packed);
  return { ref: { id, place: 'bucket', names }, writes: deletions.map(cancelDeletionWrite) };
};

/**
 * Creates the writes that delete texts, for the transaction that deletes or replaces them in their record. `next`
 * refers to the new texts, which overwrite some of the old ones.
 */
export const removeTexts = (owner: Key, ref: TextsRef, next?: TextsRef): readonly Write[] => {
  if (ref.place === 'table') {
    return next?.place === 'table' ? [] : [deleteItemWrite(owner)];
  }
  return ref.names.map((name) => scheduleDeletionWrite(objectKey(owner, ref.id, name)));
};

const unpack = async (bytes: Uint8Array): Promise<string> => (await decompress(bytes)).toString();

/**
 * Reads texts by name, or returns `undefined` if they no longer exist. `item` is their item, if it was read together
 * with the record, which saves a round trip for small texts.
 */
export const readTexts = async <Name extends string>(
  owner: Key,
  ref: TextsRef,
  names: readonly Name[],
  item?: Record<string, unknown>,
): Promise<Partial<Record<Name, string>> | undefined> => {
  const wanted = names.filter((name) => ref.names.includes(name));
  const readPacked =
    ref.place === 'table' ? await fromTable(owner, ref, item) : fromBucket(owner, ref);
  if (!readPacked) return undefined;
  const texts: Partial<Record<Name, string>> = {};
  await Promise.all(
    wanted.map(async (name) => {
      const bytes = await readPacked(name);
      if (bytes) texts[name] = await unpack(bytes);
    }),
  );
  return wanted.every((name) => texts[name] !== undefined) ? texts : undefined;
};

type ReadPacked = (name: string) => Promise<Uint8Array | undefined>;

const fromTable = async (
  owner: Key,
  { id }: TextsRef,
  known: Record<string, unknown> | undefined,
): Promise<ReadPacked | undefined> => {
  // A change may occur between reading the record and its texts.
  const item = known?.['id'] === id ? known : (await batchGet([owner]))[0];
  const stored = item as StoredTexts | undefined;
  if (stored?.id !== id) return undefined;
  return async (name) => stored[name] as Uint8Array | undefined;
};

const fromBucket =
  (owner: Key, { id }: TextsRef): ReadPacked =>
  (name) =>
    getObject(objectKey(owner, id, name));
