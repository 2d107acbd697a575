import type { IncomingHttpHeaders } from 'node:http';
import { decodeAwsChunked } from '../../../infra/local/aws/s3/aws-chunked.ts';
import { toXml } from './protocol.ts';

/** An answer of S3: a status, and XML or bytes. */
export type S3Answer = readonly [status: number, body?: string | Buffer];

const decode = async (body: Buffer, headers: IncomingHttpHeaders): Promise<Buffer> => {
  if (!String(headers['x-amz-content-sha256']).startsWith('STREAMING-')) return body;
  const parts: Buffer[] = [];
  const source = (async function* () {
    yield body;
  })();
  for await (const part of decodeAwsChunked(source, new Map())) parts.push(part);
  return Buffer.concat(parts);
};

/** The bucket of the CDK's bootstrap, and others, in memory: what deployments put and look for. */
export class Objects {
  readonly #objects = new Map<string, Buffer>();

  /** The number of stored objects. */
  get count(): number {
    return this.#objects.size;
  }

  /** Reads the text of an object by its address. */
  readonly read = (url: string): string => {
    const found = this.#objects.get(decodeURIComponent(new URL(url).pathname.slice(1)));
    if (!found) throw new Error(`No object at ${url}`);
    return found.toString();
  };

  async answer(
    method: string,
    url: URL,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Promise<S3Answer | undefined> {
    const path = decodeURIComponent(url.pathname.slice(1));
    const [bucket = '', ...rest] = path.split('/');
    const key = rest.join('/');
    const { searchParams } = url;
    if (method === 'PUT' && key !== '') {
      this.#objects.set(path, await decode(body, headers));
      return [200];
    }
    if (method !== 'GET' || bucket === '') return undefined;
    if (searchParams.has('location')) return [200, toXml('LocationConstraint', '')];
    if (searchParams.has('encryption')) {
      const apply = { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } };
      return [200, toXml('ServerSideEncryptionConfiguration', { Rule: apply })];
    }
    if (searchParams.get('list-type') === '2') {
      const prefix = `${bucket}/${searchParams.get('prefix') ?? ''}`;
      const [name, content] = [...this.#objects].find(([one]) => one.startsWith(prefix)) ?? [];
      const Contents = name && { Key: name.slice(bucket.length + 1), Size: content?.length };
      return [
        200,
        toXml('ListBucketResult', {
          Name: bucket,
          KeyCount: name ? 1 : 0,
          Contents: Contents || undefined,
        }),
      ];
    }
    const object = this.#objects.get(path);
    return object ? [200, object] : [404, toXml('Error', { Code: 'NoSuchKey', Message: path })];
  }
}
