import type { MiddlewareObj } from '@middy/core';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import type { Actor } from '../auth/actor.ts';
import type { SignOutReason } from '../auth/sign-out-reason.ts';
import type { AppError } from '../runtime/errors.ts';
import type { IfMatch } from './content/etag.ts';
import type { ClientInfo, Route } from './route.ts';

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;

/** What the middleware has found out by the time the route's handler runs. */
export interface RequestContext extends Context {
  route: Route;
  actor: Actor | undefined;
  /** Whether there is no actor because the caller’s account waits to be deleted. */
  isLeaving?: boolean;
  /** Whether there is no actor because the caller must verify the address first. */
  isUnverified?: boolean;
  /** Whether there is no actor because the session must set up a second factor first. */
  isUnenrolled?: boolean;
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
  client: ClientInfo;
  /** Known to the limits, too, which may find out what the caller is admitted to. */
  cookies: readonly string[];
  isHead: boolean;
  ifMatch: IfMatch | undefined;
  /** What the route has begun to read. */
  ahead?: Promise<unknown> | undefined;
  /** The encoding of the text in another body, unless it is UTF-8. */
  readAs?: string | undefined;
  /** Why the session of a caller has ended, where sign-in is optional. */
  signedOut?: SignOutReason | undefined;
  /** The refusal of a limit that lets the route decide. */
  overLimit?: AppError | undefined;
  /** Headers added to the response, whether it succeeds or fails. */
  responseHeaders?: Readonly<Record<string, string>>;
}

export type Middleware = MiddlewareObj<Event, Result, Error, RequestContext>;

/** Returns the gateway's request id, which its access log contains too. */
export const requestId = (event: Event): string => event.requestContext.requestId;

/** Returns the headers of every response (decisions.md#headers). */
export const commonHeaders = (event: Event): Record<string, string> => ({
  'x-request-id': requestId(event),
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** The types of pictures. The reply says which one it is. */
export const imageTypes = ['image/webp', 'image/jpeg', 'image/png'] as const;

/** The type of lists that have a JSON object on each line. */
export const ndjsonType = 'application/x-ndjson; charset=utf-8';

export const contentTypes = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  javascript: 'text/javascript; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  // The reply says which type a file has.
  source: 'text/plain; charset=utf-8',
  font: 'font/woff2',
  calendar: 'text/calendar; charset=utf-8',
  // The reply says which of both it is.
  rows: 'text/csv; charset=utf-8',
  image: imageTypes[0],
  // The reply says which type it is.
  file: 'application/octet-stream',
} as const satisfies Record<Route['produces'], string>;
