import type * as z from 'zod';
import type { AuditRecorder } from '../audit/audit-log.ts';
import type { Actor } from '../auth/actor.ts';
import type { Permission } from '../permissions/permissions.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import type { IfMatch } from './etag.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call: the holder of a permission; anyone signed in; anyone signed in by a session, not by an API token;
 * anyone, signed in or not (bad credentials count as none); or anyone at all, without a look at credentials.
 */
export type Access = Permission | 'signed-in' | 'session' | 'optional' | 'public';

type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

type ParamsFor<Path extends string> = z.ZodObject<Record<PathParam<Path>, z.ZodType>>;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** An actor who has signed in by a session. */
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

/** Where a request comes from, as the gateway saw it. */
export interface ClientInfo {
  readonly ip: string;
  /** The address, of IPv6 its /64: whom limits count. */
  readonly network: string;
  readonly userAgent: string | undefined;
}

/** What a route's handler is given; each part is what its schema made of the input. */
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
  /** A HEAD request: it is answered as GET, without the body and without any effect. */
  readonly isHead: boolean;
  /** The versions of the record that the client has seen, where the route has one and the request says so. */
  readonly ifMatch: IfMatch | undefined;
  /** Notes down what the request changes. */
  readonly audit: AuditRecorder;
} & ActorFor<A>;

/** What a change is called in the audit: the kind of thing and the verb, such as `user.update`. */
export type AuditAction = `${string}.${string}`;

/** What a request that comes again is answered. */
export interface Repeats {
  /** Fields of the answer's body that are shown the first time only. */
  readonly withoutFields?: readonly string[];
  /** The answer about what was made, of which the change named the subject. */
  replay(request: RouteRequest, subject: string): Promise<unknown>;
}

/** A failure in the form that may be shown. */
export interface PublicError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  /** Does the caller ask for HTML rather than for JSON or plain text? */
  readonly prefersHtml: boolean;
  /** The path of the request. */
  readonly path: string;
}

/** The page of a failure, or `undefined` for the error envelope. */
export type FailurePage = (failure: PublicError) => Reply<string> | undefined;

/** When a failure happens, and its body where that is more or other than the envelope. */
export type ErrorCase = string | { readonly when: string; readonly body: z.ZodType };

/** A limit of a route. Where several are named, they are asked in their order; who is refused by one takes of none. */
export interface RouteLimit extends RateLimit {
  /** Does a request give its token back that succeeds, or finds nothing (404, 410)? */
  readonly failuresOnly?: boolean;
  /** Is finding nothing counted all the same? For addresses that are secrets. */
  readonly countNotFound?: boolean;
  /**
   * Does it bound the guesses of a password? Then a request is answered 503 while the table throttles the bucket: otherwise
   * many guesses at once would open the gate.
   */
  readonly guardsPassword?: boolean;
  /** Do others take from the same bucket? What they do isn't told: its headers are sent when it is empty. */
  readonly isShared?: boolean;
  /** Whose bucket a request takes its token from; `undefined` where it needs none. Never of what a client claims to be. */
  key(request: RouteRequest): string | undefined;
}

/** One endpoint: everything the API, its document, its access table and its tests are made from. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  /** What it does, as an order of up to six words, such as `List documents`. */
  readonly summary: string;
  /** What else there is to know, in Markdown: limits, what counts, what is atomic. */
  readonly description?: string;
  /** The status of success. */
  readonly status: 200 | 201 | 302 | 303;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /**
   * Does a request with these parameters read a list, so that unknown ones are refused? Without it, does the query have a
   * `cursor`?
   */
  readonly readsList?: (query: Readonly<Record<string, string | undefined>>) => boolean;
  /** Request headers by their lower-case names. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** How the body is written; `form` and, with a file, `multipart` are what an HTML form sends. */
  readonly accepts: 'json' | 'form' | 'multipart';
  /** The body of success; it keeps only what the schema names. */
  readonly output: z.ZodType;
  readonly produces: 'json' | 'html' | 'css' | 'javascript' | 'text' | 'calendar';
  /** Failures beside those that follow from the access and the schemas. */
  readonly errors?: Partial<Record<ErrorCode, ErrorCase>>;
  readonly limits?: readonly RouteLimit[];
  /** What the audit calls what it changes; `none` where that is nothing that anybody would look for. A GET has none. */
  readonly auditAction?: AuditAction | 'none';
  /** Does it answer an `Idempotency-Key`? For requests of users that make something. */
  readonly idempotency?: Repeats;
  /**
   * The version of the one record that it answers or changes: with it the answer has an `ETag`, `If-None-Match` a 304,
   * and `If-Match` is in the request's `ifMatch`. `undefined` where the answer has none.
   */
  versionOf?(body: unknown, query: unknown): number | undefined;
  /** How a failure looks to a person; without it, or where it answers none, the error envelope is sent. */
  readonly failurePage?: FailurePage;
  // Method syntax on purpose: it lets a narrower request type be stored in a list of routes.
  handle(request: RouteRequest): Promise<unknown>;
}

/** Makes a route of an endpoint such as `GET /api/users/{id}`; its types come from its schemas. */
export const route = <
  const M extends Method,
  const Path extends string,
  const A extends Access,
  O extends z.ZodType,
  P extends ParamsFor<Path> | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  H extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: {
    readonly endpoint: `${M} ${Path}`;
    readonly access: A;
    readonly summary: string;
    readonly description?: string;
    readonly status?: Route['status'];
    readonly query?: Q;
    readonly readsList?: Route['readsList'];
    readonly headers?: H;
    readonly body?: B;
    readonly accepts?: Route['accepts'];
    readonly output: O;
    readonly produces?: Route['produces'];
    readonly errors?: Route['errors'];
    readonly limits?: readonly (Omit<RouteLimit, 'key'> & {
      key(request: RouteRequest<A, Parsed<P>, Parsed<Q>, Parsed<H>, Parsed<B>>): string | undefined;
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
    handle(
      request: RouteRequest<A, Parsed<P>, Parsed<Q>, Parsed<H>, Parsed<B>>,
    ): Promise<z.input<O> | Reply<z.input<O>>>;
  } & ([PathParam<Path>] extends [never] ? { readonly params?: never } : { readonly params: P }) &
    ([M] extends ['GET']
      ? { readonly auditAction?: never }
      : { readonly auditAction: NonNullable<Route['auditAction']> }),
): Route => {
  const { endpoint, ...rest } = spec;
  const [method, path] = endpoint.split(' ', 2) as [Method, string];
  return {
    status: 200,
    accepts: 'json',
    produces: 'json',
    ...rest,
    method,
    path,
  } as unknown as Route;
};
