import type { IncomingHttpHeaders } from 'node:http';
import { createSigner, ownCredentials } from '../../../infra/local/aws/host/signature.ts';

const isSigned = (name: string): boolean =>
  name === 'host' || name === 'content-type' || name.startsWith('x-amz-');

/** Returns the headers of a table request with a changed body, signed again with the sender's key. */
export const signAgain = async (
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<IncomingHttpHeaders> => {
  const { 'x-amz-content-sha256': _, ...rest } = headers;
  const covered = Object.entries(rest).filter(([name]) => isSigned(name));
  const signed = await createSigner('dynamodb', ownCredentials()).sign({
    method: 'POST',
    protocol: 'http:',
    hostname: '',
    path: '/',
    headers: Object.fromEntries(covered.map(([name, value]) => [name, String(value)])),
    body,
  });
  return { ...rest, ...signed.headers };
};
