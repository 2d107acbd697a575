import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../../shared/http/http.ts';
import { corsRules } from '../stack/cors-rules.ts';

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

const getOrigin = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : 'null';

/** Returns the origin of the page that sent a request, `null` if it is hidden, or undefined for a navigation. */
const getPageOrigin = (headers: IncomingHttpHeaders): string | undefined => {
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === 'same-origin') return undefined;
  if (origin !== undefined) return origin;
  // Browsers send no origin for images and scripts.
  const isPart = mode === 'no-cors' && site !== undefined && site !== 'none';
  return isPart ? getOrigin(referer) : undefined;
};

/**
 * Tells whether a page of another origin sent a request without being allowed. API Gateway serves such requests, but a
 * service on this machine must not be reachable for any page that its user visits.
 */
export const isForeignPage = (
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): boolean => {
  const page = getPageOrigin(headers);
  if (page === undefined || allowed.includes('*') || allowed.includes(page)) return false;
  // A proxy may use another host name than browsers do.
  const own = [`http://${headers.host}`, process.env['PUBLIC_URL']];
  return !own.includes(page);
};

/** Returns the gateway's response to a CORS preflight, or undefined for other requests. */
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

/** Returns the CORS headers of all other responses. */
export const corsHeaders = (
  { origin }: IncomingHttpHeaders,
  allowed: readonly string[],
): Headers => {
  if (!origin) return {};
  const granted = allowOrigin(origin, allowed);
  if (Object.keys(granted).length === 0) return {};
  return { ...granted, 'access-control-expose-headers': corsRules.exposed.join(',') };
};
