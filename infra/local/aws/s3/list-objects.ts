import type { ObjectInfo } from './object-file.ts';
import type { Operation } from './request.ts';
import { invalidArgument } from './s3-error.ts';
import { document, element, type Markup } from './xml.ts';

const MAX_KEYS = 1_000;

interface Entry {
  /** The entry's key or common prefix; the next page starts after it. */
  readonly name: string;
  readonly object?: ObjectInfo;
}

/** Compares by the bytes of UTF-8, which is the order of S3 but not of JavaScript strings. */
const isAfter = (text: string, other: Buffer): boolean =>
  Buffer.compare(Buffer.from(text), other) > 0;

/** Returns the entries of a list. Keys with the same text before the delimiter become one entry. */
const getEntries = (objects: readonly ObjectInfo[], prefix: string, delimiter: string): Entry[] => {
  const entries = new Map<string, Entry>();
  for (const object of objects) {
    if (!object.key.startsWith(prefix)) continue;
    const at = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
    if (at < 0) entries.set(`object ${object.key}`, { name: object.key, object });
    else {
      const name = object.key.slice(0, at + delimiter.length);
      entries.set(`prefix ${name}`, { name });
    }
  }
  return [...entries.values()];
};

const sorted = (entries: readonly Entry[]): Entry[] =>
  entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.name) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entry }) => entry);

const readMaxKeys = (query: URLSearchParams): number => {
  const text = query.get('max-keys') ?? String(MAX_KEYS);
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument('Provided max-keys not an integer');
  return Math.min(Number(text), MAX_KEYS);
};

const contents = (object: ObjectInfo, encode: (text: string) => string): Markup =>
  element(
    'Contents',
    element('Key', encode(object.key)),
    element('LastModified', new Date(object.lastModified).toISOString()),
    element('ETag', object.etag),
    element('Size', object.size),
    element('StorageClass', object.headers['x-amz-storage-class'] ?? 'STANDARD'),
  );

/** Performs ListObjectsV2. */
export const listObjects: Operation = async ({ store, bucket: bucketName, query }) => {
  const bucket = await store.bucket(bucketName);
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const maxKeys = readMaxKeys(query);
  const token = query.get('continuation-token');
  const startAfter = Buffer.from(query.get('start-after') ?? '');
  const pageAfter = Buffer.from(token ?? '', 'base64url');
  const isUrl = query.get('encoding-type') === 'url';
  const encode = (text: string) => (isUrl ? encodeURIComponent(text).replaceAll('%2F', '/') : text);

  const objects = (await bucket.list()).filter(({ key }) => isAfter(key, startAfter));
  const all = sorted(getEntries(objects, prefix, delimiter));
  const rest = all.filter(({ name }) => isAfter(name, pageAfter));
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = last !== undefined && rest.length > page.length;
  const body = element(
    'ListBucketResult',
    element('Name', bucket.name),
    element('Prefix', encode(prefix)),
    ...(delimiter === '' ? [] : [element('Delimiter', encode(delimiter))]),
    ...(isUrl ? [element('EncodingType', 'url')] : []),
    element('MaxKeys', maxKeys),
    element('KeyCount', page.length),
    element('IsTruncated', isTruncated),
    ...(isTruncated
      ? [element('NextContinuationToken', Buffer.from(last.name).toString('base64url'))]
      : []),
    ...page.flatMap(({ object }) => (object ? [contents(object, encode)] : [])),
    ...page
      .filter(({ object }) => !object)
      .map(({ name }) => element('CommonPrefixes', element('Prefix', encode(name)))),
  );
  return { status: 200, body: document(body) };
};
