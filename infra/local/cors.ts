import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../../shared/http.ts';
import { corsRules } from '../cors-rules.ts';

type Headers = Record<string, string>;

const allowOrigin = (origin: string, allowed: readonly string[]): Headers => {
  if (allowed.includes('*')) return { 'access-control-allow-origin': '*' };
  if (!allowed.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  };
};

/** The gateway's own answer to a browser that asks whether a page of another origin may call; nothing else is asked. */
export const preflight = (
  method: string | undefined,
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): Result | undefined => {
  const { origin, 'access-control-request-method': wanted } = headers;
  if (method !== 'OPTIONS' || allowed.length === 0 || !origin || !wanted) return undefined;
  const granted = allowOrigin(origin, allowed);
  return {
    statusCode: 204,
    headers:
      Object.keys(granted).length === 0
        ? {}
        : {
            ...granted,
            'access-control-allow-methods': corsRules.methods.join(','),
            'access-control-allow-headers': corsRules.headers.join(','),
            'access-control-max-age': String(corsRules.maxAgeSeconds),
          },
  };
};

/** What the gateway adds to every other answer for a page of another origin. */
export const corsHeaders = (
  { origin }: IncomingHttpHeaders,
  allowed: readonly string[],
): Headers => {
  if (!origin) return {};
  const granted = allowOrigin(origin, allowed);
  if (Object.keys(granted).length === 0) return {};
  return { ...granted, 'access-control-expose-headers': corsRules.exposed.join(',') };
};
