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

/** The origin of the page that a browser says a request is from, `null` if the page hides it; undefined for a navigation. */
const askingPage = (headers: IncomingHttpHeaders): string | undefined => {
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === 'same-origin') return undefined;
  if (origin !== undefined) return origin;
  // An image or a script: a browser tells no origin of them.
  const isPart = mode === 'no-cors' && site !== undefined && site !== 'none';
  return isPart ? getOrigin(referer) : undefined;
};

/**
 * Does a page send it that is neither of this host nor named? API Gateway would serve it, since anybody can call what is on
 * the internet anyway; here the page would call in the name of whoever looks at it.
 */
export const isForeignPage = (
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): boolean => {
  const page = askingPage(headers);
  if (page === undefined || allowed.includes('*') || allowed.includes(page)) return false;
  // A proxy in front may call this host by another name than browsers do.
  const own = [`http://${headers.host}`, process.env['PUBLIC_URL']];
  return !own.includes(page);
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
