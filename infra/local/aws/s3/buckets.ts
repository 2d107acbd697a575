import { parseCorsRules } from './cors.ts';
import { assertKey, type Operation, readXml } from './request.ts';
import { S3Error } from './s3-error.ts';
import { document, element, getChildren, getText, parseXml } from './xml.ts';

const MAX_DELETIONS = 1_000;

export const listBuckets: Operation = async ({ store }) => {
  const buckets = (await store.buckets()).map(({ name, createdAt }) =>
    element('Bucket', element('Name', name), element('CreationDate', createdAt.toISOString())),
  );
  const body = element('ListAllMyBucketsResult', element('Buckets', ...buckets));
  return { status: 200, body: document(body) };
};

export const createBucket: Operation = async (request) => {
  if (await request.store.createBucket(request.bucket)) {
    return { status: 200, headers: { location: `/${request.bucket}` } };
  }
  throw new S3Error(
    409,
    'BucketAlreadyOwnedByYou',
    'Your previous request to create the named bucket succeeded and you already own it.',
  );
};

export const headBucket: Operation = async ({ store, bucket }) => {
  await store.bucket(bucket);
  return { status: 200 };
};

export const putBucketCors: Operation = async (request) => {
  const bucket = await request.store.bucket(request.bucket);
  await bucket.setCorsRules(parseCorsRules(await readXml(request)));
  return { status: 200 };
};

/** Performs DeleteObjects. A missing object counts as deleted. */
export const deleteObjects: Operation = async (request) => {
  const bucket = await request.store.bucket(request.bucket);
  const root = parseXml(await readXml(request));
  const keys = getChildren(root, 'Object').map((object) => getText(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > MAX_DELETIONS || keys.includes('')) {
    throw new S3Error(
      400,
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    );
  }
  for (const key of keys) assertKey(key);
  await bucket.delete(keys);
  const isQuiet = getText(root, 'Quiet') === 'true';
  const deleted = isQuiet ? [] : keys.map((key) => element('Deleted', element('Key', key)));
  return { status: 200, body: document(element('DeleteResult', ...deleted)) };
};
