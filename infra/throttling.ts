import type { Throttle } from './stack-settings.ts';

/** Routes whose every call costs much: a hash of a password, a conversion, a write of much content or to many people. */
const costlyRoutes: ReadonlySet<string> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/register',
  'POST /api/auth/reset-password',
  'POST /reset',
  'POST /invite',
  'POST /api/markdown',
  'POST /api/share',
  'PUT /api/share/{id}',
  'POST /api/documents',
  'PUT /api/documents/{id}',
  'POST /api/messages',
  'POST /api/files/upload',
  'POST /api/files/{id}/complete',
  'GET /api/share',
  'HEAD /api/share',
  'POST /s/{id}/open',
  'GET /calendar/{token}/events.ics',
  'HEAD /calendar/{token}/events.ics',
]);

const fifth = (limit: number): number => Math.max(1, Math.floor(limit / 5));

/** The limits of a route's own: a fifth of the API's for a costly one, otherwise none. */
export const throttleOf = (routeKey: string, { rate, burst }: Throttle): Throttle | undefined =>
  costlyRoutes.has(routeKey) ? { rate: fifth(rate), burst: fifth(burst) } : undefined;
