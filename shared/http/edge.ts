import { readSessionCookie } from '../auth/session-cookie.ts';
import { getSetting } from '../runtime/settings.ts';

/**
 * The headers by which the CDN vouches for a request: its secret, and the viewer's address and host. It overwrites what a
 * client sends in them. CloudFront reserves `x-edge-*`.
 */
export const edgeHeaders = {
  secret: 'x-handbill-edge',
  address: 'x-handbill-viewer',
  host: 'x-handbill-host',
} as const;

/** How a CDN may keep what a route responds: for good, as its path names its content, or for seconds, if it is for everyone. */
export type EdgeCache = 'for-good' | 'for-seconds';

/** How long the CDN keeps a response that is for everyone, in seconds (decisions.md#edge). */
export const maxEdgeSeconds = 5;

/** Whether the service is behind the CDN. */
export const isBehindEdge = (): boolean => getSetting('EDGE_SECRET_HASHES').length > 0;

/** Whether the response may be for everyone: the service is behind the CDN, and the request has no session. */
export const isForEveryone = (request: {
  readonly actor?: unknown;
  readonly cookies: readonly string[];
}): boolean =>
  isBehindEdge() && request.actor === undefined && readSessionCookie(request.cookies) === undefined;

/** Returns for how many seconds the CDN may keep what expires at this time, if it does. */
export const countEdgeSeconds = (expiresAt: string | undefined): number => {
  if (expiresAt === undefined) return maxEdgeSeconds;
  return Math.max(
    0,
    Math.min(maxEdgeSeconds, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000)),
  );
};
