import { describeObject, storedHeaders } from './objects.ts';
import { createPayloadCheck } from './payload.ts';
import { assertKey, type Operation, parsePath } from './request.ts';
import { noSuchKey, preconditionFailed, S3Error } from './s3-error.ts';
import { document, element } from './xml.ts';

/** Bytes per read. */
const COPY_BYTES = 1024 * 1024;

async function* nothing(): AsyncGenerator<Buffer> {}

/** Performs CopyObject with the metadata of the source, or of the request with `x-amz-metadata-directive: REPLACE`. */
export const copyObject: Operation = async ({ store, bucket: name, key, headers }) => {
  const path = headers['x-amz-copy-source'] ?? '';
  const from = parsePath(path.startsWith('/') ? path : `/${path}`);
  assertKey(from.key);
  const algorithm = headers['x-amz-checksum-algorithm'];
  const compute = algorithm === undefined ? [] : [`x-amz-checksum-${algorithm.toLowerCase()}`];
  const replaces = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (!replaces && from.bucket === name && from.key === key) {
    throw new S3Error(
      400,
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata.",
    );
  }
  const bucket = await store.bucket(name);
  const source = await (await store.bucket(from.bucket)).open(from.key);
  if (!source) throw noSuchKey();
  try {
    const wanted = headers['x-amz-copy-source-if-match'];
    if (wanted !== undefined && wanted !== source.info.etag) throw preconditionFailed();
    const { size, headers: sourceHeaders, checksums } = source.info;
    const kept = replaces ? storedHeaders(headers) : sourceHeaders;
    const check = createPayloadCheck({ headers: checksums, length: size, compute });
    const bytes =
      size === 0
        ? nothing()
        : source.file.createReadStream({
            start: 0,
            end: size - 1,
            autoClose: false,
            highWaterMark: COPY_BYTES,
          });
    const info = await bucket.put(key, check.pass(bytes), () => describeObject(key, check, kept));
    const response = element(
      'CopyObjectResult',
      element('ETag', info.etag),
      element('LastModified', new Date(info.lastModified).toISOString()),
      ...Object.entries(info.checksums).map(([name, value]) =>
        element(`Checksum${name.slice('x-amz-checksum-'.length).toUpperCase()}`, value),
      ),
    );
    return { status: 200, body: document(response) };
  } finally {
    await source.file.close();
  }
};
