import type { Credentials } from '../host/signature.ts';
import { readUploadForm } from './form-data.ts';
import { describeObject, storedHeaders } from './objects.ts';
import { createPayloadCheck, MAX_OBJECT_BYTES } from './payload.ts';
import { assertPolicy } from './post-policy.ts';
import { assertInstructions, assertKey, type S3Answer } from './request.ts';
import { accessDenied, invalidArgument, notImplemented } from './s3-error.ts';
import { verifyPolicy } from './signature.ts';
import type { Store } from './store.ts';
import { document, element } from './xml.ts';

/** A form's upload, which its policy restricts. */
export interface PostRequest {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly bucket: string;
  readonly contentType: string;
  /** The address that the path of the bucket follows, such as `http://127.0.0.1:3002`. */
  readonly base: string;
  readonly body: AsyncIterator<Buffer>;
}

const UNKNOWN_FIELDS = ['acl', 'success_action_redirect', 'tagging'];

/** Returns the fields as headers. Headers are bytes, so other characters than ASCII become UTF-8. */
const asHeaders = (fields: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...fields].map(([name, value]) => {
      if (/[^\t\P{Cc}]/u.test(value) && name !== 'key') {
        throw invalidArgument(`The field ${name} is not a header value`);
      }
      return [name, Buffer.from(value).toString('latin1')];
    }),
  );

/**
 * Stores the file of a browser's upload by POST, if the form's policy is signed and allows it.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
 * @throws S3Error
 */
export const postObject = async (request: PostRequest): Promise<S3Answer> => {
  const { store, credentials, contentType, base, body } = request;
  const bucket = await store.bucket(request.bucket);
  const { fields, fileName, file } = await readUploadForm(body, contentType);
  await verifyPolicy(fields, credentials);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so S3 spells it
  const key = fields.get('key')?.replaceAll('${filename}', () => fileName);
  if (!key) throw invalidArgument("Bucket POST must contain a field named 'key'.");
  assertKey(key);
  const policy = fields.get('policy');
  if (!policy) throw accessDenied();
  const range = assertPolicy(policy, new Map(fields).set('key', key), bucket.name);
  assertInstructions(fields.keys());
  for (const name of UNKNOWN_FIELDS)
    if (fields.has(name)) throw notImplemented(`the field ${name}`);

  const headers = asHeaders(fields);
  const kept = storedHeaders(headers);
  const check = createPayloadCheck({ maxBytes: MAX_OBJECT_BYTES, ...range, headers });
  const info = await bucket.put(key, check.pass(file), () => describeObject(key, check, kept));

  const location = `${base}/${bucket.name}/${encodeURIComponent(key)}`;
  const responseHeaders = { etag: info.etag, location };
  const status = fields.get('success_action_status');
  if (status !== '201') return { status: status === '200' ? 200 : 204, headers: responseHeaders };
  const response = element(
    'PostResponse',
    element('Location', location),
    element('Bucket', bucket.name),
    element('Key', key),
    element('ETag', info.etag),
  );
  return { status: 201, headers: responseHeaders, body: document(response) };
};
