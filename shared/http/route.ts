import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { ChangeRecorder } from '../audit/audit-log.ts';
import type { Actor, Authenticator } from '../auth/actor.ts';
import type { SignOutReason } from '../auth/sign-out-reason.ts';
import type { Permission } from '../permissions/permissions.ts';
import type { RequiredScope } from '../permissions/scopes.ts';
import type { AppError, ErrorCode } from '../runtime/errors.ts';
import type { IfMatch } from './content/etag.ts';
import type { EdgeCache } from './edge.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Reply } from './reply.ts';
import type { RouteTool } from './tool.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call a route: holders of a permission, any signed-in user, only signed-in users with a session (no API
 * token), anyone with or without valid credentials, or anyone without a check of credentials.
 */
export type Access = Permission | 'signed-in' | 'session' | 'optional' | 'public';

/** Access that is not decided by a permission, so that an API token needs a scope. */
type ScopedAccess = 'signed-in' | 'optional';

type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | PathParam<Rest>
  : never;

type ParamsFor<Path extends string> = z.ZodObject<Record<PathParam<Path>, z.ZodType>>;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** An actor with a session instead of an API token. */
export type SessionActor = Actor & { readonly sessionId: string };

type ActorFor<A extends Access> = A extends 'public'
  ? unknown
  : {
      readonly actor: A extends 'optional'
        ? Actor | undefined
        : A extends 'session'
          ? SessionActor
          : Actor;
    };

/** The origin of a request, as the gateway reports it. */
export interface ClientInfo {
  readonly ip: string;
  /** The network that rate limits count: the address, or the /64 of an IPv6 address. */
  readonly network: string;
  readonly userAgent: string | undefined;
  /** Whether a service such as this one asks, as a delivery of a webhook does: that is no view (decisions.md#webhooks). */
  readonly isService: boolean;
}

/** An event of API Gateway, and Lambda's context of it. */
export interface Invocation {
  readonly event: APIGatewayProxyEventV2;
  readonly context: Context;
}

/** The validated request that a route handles. */
export type RouteRequest<
  A extends Access = Access,
  P = unknown,
  Q = unknown,
  H = unknown,
  B = unknown,
> = {
  readonly params: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  readonly client: ClientInfo;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** The cookies, each as `name=value`. */
  readonly cookies: readonly string[];
  /** Whether this is a HEAD request, which responds like GET but without a body and without any effect. */
  readonly isHead: boolean;
  /** The record versions that the client's `If-Match` header allows, on routes with a version. */
  readonly ifMatch: IfMatch | undefined;
  /** The encoding that the text in a body of another media type was read in, for people, unless it is UTF-8. */
  readonly readAs: string | undefined;
  /** Whether the browser reports that another site sent the request. Its response sets no session cookie. */
  readonly isCrossSite: boolean;
  /** Why the session that the caller had has ended, where sign-in is optional. Only who had it learns it. */
  readonly signedOut: SignOutReason | undefined;
  /** The refusal of a limit that is the route's choice, if it is reached. */
  readonly overLimit: AppError | undefined;
  /** Records what the request changes. */
  readonly recorder: ChangeRecorder;
  /** What API Gateway sent, for a route that calls others. */
  readonly invocation: Invocation;
} & ActorFor<A>;

/** An action in the audit log: subject type and verb, such as `user.update`. */
export type AuditAction = `${string}.${string}`;

/** How a route replays a repeated request with an `Idempotency-Key`. */
export interface Repeats {
  /** Response fields that are shown only the first time. */
  readonly withoutFields?: readonly string[];
  /** Creates the response again from the subject that the first request created. */
  replay(request: RouteRequest, subject: string): Promise<unknown>;
}

/** The public part of an error. */
export interface PublicError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  /** Whether the caller prefers HTML over JSON and plain text. */
  readonly prefersHtml: boolean;
  readonly method: string;
  /** Path of the request. */
  readonly path: string;
  /** The query of the request, encoded and without the question mark. */
  readonly query: string;
  /** The cookies of the request, each as `name=value`. */
  readonly cookies: readonly string[];
  /** From where the browser reports the request to come, by `Sec-Fetch-Site`. */
  readonly site?: string | undefined;
  /** The caller, if the route knows one. */
  readonly actor?: Actor | undefined;
  /** Whether the caller counts as signed out, because the account waits to be deleted. */
  readonly isLeaving?: boolean | undefined;
  /** Whether the caller counts as signed out, because the address must be verified first. */
  readonly isUnverified?: boolean | undefined;
  /** Whether the caller must set up a second factor first, and counted as signed out. */
  readonly isUnenrolled?: boolean | undefined;
}

/** Renders an error as a page, or returns `undefined` for the error envelope. */
export type FailurePage = (failure: PublicError) => Reply<string> | undefined;

/** What the errors of a route look like. */
export interface ErrorBody {
  /** What the OpenAPI document calls such errors. */
  readonly name: 'OAuth';
  readonly schema: z.ZodType;
  create(error: Pick<AppError, 'code' | 'message'>): Readonly<Record<string, unknown>>;
}

/** When an error occurs and, if it is not just the envelope, its body. */
export type ErrorCase = string | { readonly when: string; readonly body: z.ZodType };

/** A rate limit of a route. Several are checked in order; a request denied by one consumes no token of any. */
export interface RouteLimit extends RateLimit {
  /** Refunds the token of a request that succeeds or finds nothing (404, 410). */
  readonly failuresOnly?: boolean;
  /** Counts requests that find nothing as failures, for secret addresses. */
  readonly countNotFound?: boolean;
  /** Limits password guesses: while the table throttles the bucket, requests get a 503 instead of passing unchecked. */
  readonly guardsPassword?: boolean;
  /**
   * Shared by several callers. Its headers are sent only when the bucket is empty, because they would reveal what
   * others do.
   */
  readonly isShared?: boolean;
  /**
   * Calls the route beyond the limit, too: it gets the refusal as `overLimit` and throws it or replies with its status, unless
   * the caller proves to be someone whom others must not block. Only for the last limits of a route.
   */
  readonly isRoutesChoice?: boolean;
  /** Returns the key of the bucket, or `undefined` for no limit. Never derive it from a header the client controls. */
  key(request: RouteRequest): string | undefined | Promise<string | undefined>;
}

/** What a body of a further media type contains. */
export interface OtherContent {
  /** The fields that `body` parses. */
  readonly fields: Form;
  /** The encoding of its text for people, unless it is UTF-8. */
  readonly readAs?: string | undefined;
}

/** How a route reads a body of a further media type. */
export interface OtherBody {
  /** What the body is, for the OpenAPI document. */
  readonly schema: z.ZodType;
  /** Of a form, if it can have more than one file and short fields. */
  readonly formLimits?: FormLimits;
  /**
   * Reads the fields of a form, or else the bytes. `charset` is that of the `Content-Type`.
   * @throws AppError VALIDATION_ERROR
   */
  read(
    content: Buffer | Form,
    request: { readonly charset: string | undefined; readonly query: unknown },
  ): OtherContent;
}

/** The limits of a multipart form. */
export interface FormLimits {
  /** How many files it can have. With more than one, a field with files is a list of them. */
  readonly files: number;
  /** The bytes of a field that is no file. */
  readonly fieldSize: number;
  /** Whether names of files keep their folders. */
  readonly hasPaths?: boolean;
}

/** Form fields by name. */
export type Form = Readonly<Record<string, unknown>>;

/** An endpoint. The API, the OpenAPI document, the access table and tests are generated from it. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  /**
   * Holders of this permission are let in, too, because the record may give them the right; not by an API token with
   * permissions of its own. `handle` refuses the others.
   */
  readonly accessByRecord?: Permission;
  /** Authenticates its callers by rules of its own; by default as all routes do. */
  readonly authenticate?: Authenticator;
  /** What an API token needs. Present exactly if `access` is `signed-in` or `optional`. */
  readonly scope?: RequiredScope;
  /**
   * Whether users may call it who must verify their address first, and sessions that must set up a second factor; elsewhere they
   * count as signed out or are refused.
   */
  readonly isForUnverified?: true;
  /** Whether sessions may call it, too, that must set up a second factor first: it is for setting one up. */
  readonly isForUnenrolled?: true;
  /** Whether users may call it whose account waits to be deleted: it is for seeing it, keeping it or signing out. */
  readonly isForLeaving?: true;
  /** Imperative, up to six words, such as `List documents`. */
  readonly summary: string;
  /** Details in Markdown: limits, what counts, what is atomic. */
  readonly description?: string;
  /** HTTP status of a successful response. */
  readonly status: 200 | 201 | 202 | 302 | 303;
  /** When the response is a 303 to another page instead. */
  readonly redirects?: string;
  /** When the response is a 202 without a body instead. */
  readonly accepted?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /**
   * Returns whether a query reads a list, so that unknown parameters are rejected. By default, a query with a `cursor`
   * parameter in its schema does.
   */
  readonly readsList?: (query: Readonly<Record<string, string | undefined>>) => boolean;
  /** Request headers by lower-case name. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether nothing is done in the name of the caller, so that no other site gains by sending the request. */
  readonly onlyIdentifies?: true;
  /** Encoding of the body. `form` and, with files, `multipart` are what HTML forms send. */
  readonly accepts: 'json' | 'form' | 'multipart';
  /** Of a `multipart` form, if it can have more than one file and short fields. */
  readonly formLimits?: FormLimits;
  /** Bodies of further media types. With the session cookie, only JSON is accepted (decisions.md#bodies). */
  readonly otherBodies?: Readonly<Record<string, OtherBody>>;
  /**
   * Adds to the fields of the body what the query and the headers say, before they are parsed. Repeated requests are
   * compared by the result.
   */
  completeBody?(
    fields: Form,
    request: { readonly query: unknown; readonly headers: unknown },
  ): Form;
  /** Schema of a successful response. It strips undeclared fields. */
  readonly output: z.ZodType;
  readonly produces:
    | 'json'
    | 'html'
    | 'css'
    | 'javascript'
    | 'text'
    /** A text, or the bytes of a file. */
    | 'source'
    | 'font'
    | 'calendar'
    /** A list as CSV or NDJSON. */
    | 'rows'
    | 'image'
    | 'file';
  /** Renders the response for callers that prefer `text/plain`. They get errors as one line. */
  toText?(output: unknown): string;
  /** How the CDN may keep a successful response. By default not at all. */
  readonly cache?: EdgeCache;
  /** Sets cookies also in a browser that another site leads here: a cookie shows that this browser began it here. */
  readonly setsCookiesAcrossSites?: true;
  /** Whether pages of any origin may read the response, which says nothing about anyone. It sends the CORS header itself. */
  readonly isForAnyOrigin?: true;
  /** Errors other than those implied by access and schemas. */
  readonly errors?: Partial<Record<ErrorCode, ErrorCase>>;
  readonly limits?: readonly RouteLimit[];
  /** Action recorded in the audit log, or `none` if it is not worth auditing. Of GET, only for what takes out a list. */
  readonly auditAction?: AuditAction | 'none';
  /** Supports `Idempotency-Key`. For requests of users that create something. */
  readonly idempotency?: Repeats;
  /**
   * Returns the version of the record that is returned or changed, if there is one. It adds an `ETag` to the response,
   * supports `If-None-Match` (304) and sets the request's `ifMatch`.
   */
  versionOf?(body: unknown, query: unknown): number | undefined;
  /** Renders errors for browsers. By default, the error envelope is sent. */
  readonly failurePage?: FailurePage;
  /** The body of every error, if the contract requires another than the envelope. */
  readonly errorBody?: ErrorBody;
  /** Tools for assistants that call it. */
  readonly tools?: readonly RouteTool[];
  /** Begins what `handle` gets as `ahead`, if it costs little, before the user is authenticated (decisions.md#reading-ahead). */
  readAhead?(userId: number, query: unknown): Promise<unknown> | undefined;
  // Method syntax, because it allows a list of routes with narrower request types.
  handle(request: RouteRequest): Promise<unknown>;
}

/**
 * Defines a route such as `GET /api/users/{id}`. Its types are inferred from its schemas. A last parameter such as `{path+}` is
 * all that follows, decoded and with its slashes.
 */
export const route = <
  const M extends Method,
  const Path extends string,
  const A extends Access,
  O extends z.ZodType,
  P extends ParamsFor<Path> | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  H extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  Ahead = unknown,
>(
  spec: {
    readonly endpoint: `${M} ${Path}`;
    readonly access: A;
    readonly authenticate?: Authenticator;
    readonly accessByRecord?: Permission;
    readonly isForUnverified?: Route['isForUnverified'];
    readonly isForUnenrolled?: Route['isForUnenrolled'];
    readonly isForLeaving?: Route['isForLeaving'];
    readonly summary: string;
    readonly description?: string;
    readonly status?: Route['status'];
    readonly redirects?: Route['redirects'];
    readonly accepted?: Route['accepted'];
    readonly query?: Q;
    readonly readsList?: Route['readsList'];
    readonly headers?: H;
    readonly body?: B;
    readonly onlyIdentifies?: true;
    readonly accepts?: Route['accepts'];
    readonly formLimits?: Route['formLimits'];
    readonly otherBodies?: Route['otherBodies'];
    completeBody?(
      fields: Form,
      request: { readonly query: Parsed<Q>; readonly headers: Parsed<H> },
    ): Form;
    readonly output: O;
    toText?(output: z.output<O>): string;
    readonly produces?: Route['produces'];
    readonly cache?: EdgeCache;
    readonly setsCookiesAcrossSites?: true;
    readonly isForAnyOrigin?: true;
    readonly errors?: Route['errors'];
    readonly limits?: readonly (Omit<RouteLimit, 'key'> & {
      key(
        request: RouteRequest<A, Parsed<P>, Parsed<Q>, Parsed<H>, Parsed<B>>,
      ): ReturnType<RouteLimit['key']>;
    })[];
    readonly idempotency?: {
      readonly withoutFields?: readonly (keyof z.output<O> & string)[];
      replay(
        request: RouteRequest<A, Parsed<P>, Parsed<Q>, Parsed<H>, Parsed<B>>,
        subject: string,
      ): Promise<z.input<O>>;
    };
    versionOf?(body: z.output<O>, query: Parsed<Q>): number | undefined;
    readonly failurePage?: Route['failurePage'];
    readonly errorBody?: Route['errorBody'];
    readonly tools?: Route['tools'];
    readAhead?(userId: number, query: Parsed<Q>): Promise<Ahead> | undefined;
    handle(
      request: RouteRequest<A, Parsed<P>, Parsed<Q>, Parsed<H>, Parsed<B>> & {
        /** What `readAhead` has begun, if anything. */
        readonly ahead: Promise<Ahead> | undefined;
      },
    ): Promise<z.input<O> | Reply<z.input<O>>>;
  } & ([PathParam<Path>] extends [never] ? { readonly params?: never } : { readonly params: P }) &
    ([A] extends [ScopedAccess] ? { readonly scope: RequiredScope } : { readonly scope?: never }) &
    ([M] extends ['GET']
      ? { readonly auditAction?: `${string}.export` }
      : { readonly auditAction: NonNullable<Route['auditAction']> }),
): Route => {
  const { endpoint, ...rest } = spec;
  const [method, path] = endpoint.split(' ', 2) as [Method, string];
  // A route forgets its types of parsed input: `handle` gets what its own schemas return.
  return {
    status: 200,
    accepts: 'json',
    produces: 'json',
    ...rest,
    method,
    path,
  } as unknown as Route;
};
