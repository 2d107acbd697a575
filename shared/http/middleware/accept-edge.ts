import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError } from '../../runtime/errors.ts';
import { getSetting } from '../../runtime/settings.ts';
import { edgeHeaders } from '../edge.ts';
import type { Middleware } from '../http.ts';

const toHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Behind the CDN, refuses requests without its secret before anything else, and restores what the viewer sent: address and
 * host. Without a CDN these headers mean nothing (decisions.md#edge).
 */
export const acceptEdge = (): Middleware => ({
  before: ({ event }) => {
    const hashes = getSetting('EDGE_SECRET_HASHES');
    if (hashes.length === 0) return;
    const {
      [edgeHeaders.secret]: secret = '',
      [edgeHeaders.address]: address,
      [edgeHeaders.host]: host,
      ...headers
    } = event.headers;
    if (!hashes.includes(toHash(secret))) {
      throw new AppError('FORBIDDEN', 'Use the public address of this service.');
    }
    event.headers = { ...headers, ...(host !== undefined && { host }) };
    if (address !== undefined && isIP(address)) event.requestContext.http.sourceIp = address;
  },
});
