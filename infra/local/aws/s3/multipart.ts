import { createHash } from 'node:crypto';
import type { ObjectInfo } from './object-file.ts';
import { describeObject, storedHeaders } from './objects.ts';
import { type Operation, openPayload, readXml, type S3Request } from './request.ts';
import { invalidArgument, S3Error } from './s3-error.ts';
import type { Upload } from './uploads.ts';
import { document, element, getChildren, getText, parseXml } from './xml.ts';

const MAX_PARTS = 10_000;
/** Every part but the last has at least 5 MiB. */
const MIN_PART_BYTES = 5 * 1024 ** 2;

const noSuchUpload = (): S3Error =>
  new S3Error(
    404,
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  );

const getUpload = async ({ store, bucket, key, query }: S3Request): Promise<Upload> => {
  await store.bucket(bucket);
  const upload = store.uploads.get(query.get('uploadId') ?? '');
  if (upload?.bucket !== bucket || upload.key !== key) throw noSuchUpload();
  return upload;
};

/** Performs CreateMultipartUpload. */
export const createUpload: Operation = async ({ store, bucket, key, headers }) => {
  await store.bucket(bucket);
  const upload = await store.startUpload(bucket, key, storedHeaders(headers));
  const body = element(
    'InitiateMultipartUploadResult',
    element('Bucket', bucket),
    element('Key', key),
    element('UploadId', upload.id),
  );
  return { status: 200, body: document(body) };
};

/** Performs UploadPart. A part that is sent again replaces the one before. */
export const uploadPart: Operation = async (request) => {
  const upload = await getUpload(request);
  const number = Number(request.query.get('partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS) {
    throw invalidArgument('Part number must be an integer between 1 and 10000, inclusive');
  }
  const { check, bytes } = openPayload(request);
  const name = `${upload.key} part ${number}`;
  const info = await upload.put(number, bytes, () => describeObject(name, check, {}));
  return { status: 200, headers: { etag: info.etag, ...info.checksums } };
};

const invalidPart = (): S3Error =>
  new S3Error(
    400,
    'InvalidPart',
    'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
  );

/** Returns the parts that a request completes an upload of, in the order of their numbers. */
const readParts = (xml: string, upload: Upload): { number: number; info: ObjectInfo }[] => {
  const parts = getChildren(parseXml(xml), 'Part').map((part) => {
    const number = Number(getText(part, 'PartNumber'));
    const info = upload.parts.get(number);
    const etag = getText(part, 'ETag')?.replaceAll('"', '');
    if (!info || info.etag.replaceAll('"', '') !== etag) throw invalidPart();
    return { number, info };
  });
  if (parts.length === 0) {
    throw new S3Error(400, 'MalformedXML', 'You must specify at least one part');
  }
  if (parts.some(({ number }, at) => at > 0 && number <= (parts[at - 1]?.number ?? 0))) {
    throw new S3Error(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
  }
  if (parts.slice(0, -1).some(({ info }) => info.size < MIN_PART_BYTES)) {
    throw new S3Error(
      400,
      'EntityTooSmall',
      'Your proposed upload is smaller than the minimum allowed size',
    );
  }
  return parts;
};

/** Returns the tag of an object in parts: the hash of their hashes, and how many they are. */
const toTag = (parts: readonly { info: ObjectInfo }[]): string => {
  const hash = createHash('md5');
  for (const { info } of parts) hash.update(info.etag.replaceAll('"', ''), 'hex');
  return `"${hash.digest('hex')}-${parts.length}"`;
};

/** Performs CompleteMultipartUpload. */
export const completeUpload: Operation = async (request) => {
  const upload = await getUpload(request);
  const parts = readParts(await readXml(request), upload);
  const bucket = await request.store.bucket(upload.bucket);
  const { key, headers } = upload;
  const described = { key, headers, etag: toTag(parts), checksums: {} };
  const size = parts.reduce((sum, part) => sum + part.info.size, 0);
  const bytes = upload.read(parts.map(({ number }) => number));
  const info = await bucket.put(key, bytes, () => ({
    ...described,
    size,
    lastModified: Date.now(),
  }));
  await upload.remove();
  const body = element(
    'CompleteMultipartUploadResult',
    element('Bucket', upload.bucket),
    element('Key', key),
    element('ETag', info.etag),
  );
  return { status: 200, body: document(body) };
};

/** Performs AbortMultipartUpload. */
export const abortUpload: Operation = async (request) => {
  await (await getUpload(request)).remove();
  return { status: 204 };
};
