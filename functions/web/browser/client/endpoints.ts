import type { paths } from './built/api.d.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The operation of a path and a method; `never` if there is none. */
type OperationAt<Path extends keyof paths, M extends Method> = NonNullable<
  paths[Path][Lowercase<M>]
>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } }
  ? Body
  : never;

type SuccessStatus = 200 | 201 | 202 | 302;

type SuccessBody<Responses> = {
  [Status in keyof Responses & SuccessStatus]: JsonOf<Responses[Status]>;
}[keyof Responses & SuccessStatus];

type EndpointAt<Path extends keyof paths, M extends Method> = [OperationAt<Path, M>] extends [
  { responses: infer Responses },
]
  ? [SuccessBody<Responses>] extends [never]
    ? never
    : `${M} ${Path}`
  : never;

type ApiPath = keyof paths & `/api/${string}`;

/** Method and path of an operation that responds with JSON, such as `GET /api/documents/{id}`. */
export type Endpoint = {
  [Path in ApiPath]: { [M in Method]: EndpointAt<Path, M> }[Method];
}[ApiPath];

type Operation<E extends Endpoint> =
  E extends `${infer M extends Method} ${infer Path extends ApiPath}`
    ? OperationAt<Path, M>
    : never;

/** The body of the response of an operation. */
export type Body<E extends Endpoint> = SuccessBody<Operation<E>['responses']>;

type Unwrap<Body> = Body extends { success: true; data: infer Data } ? Data : Body;

/**
 * What an operation returns: `data` of the envelope, or the body of the operations that have none. Browsers hide the
 * target of a redirect, so there it is `undefined`.
 */
export type Data<E extends Endpoint> =
  | Unwrap<Body<E>>
  | (302 extends keyof Operation<E>['responses'] ? undefined : never);

type Parameters<E extends Endpoint, In extends 'path' | 'query' | 'header'> = NonNullable<
  Operation<E>['parameters'][In]
>;

type KeysOf<All> = [All] extends [never] ? never : keyof All;

type HeaderName<E extends Endpoint> = KeysOf<Parameters<E, 'header'>>;

/** The endpoints whose request headers include one of this name. */
export type EndpointWithHeader<Name extends string> = {
  [E in Endpoint]: Name extends HeaderName<E> ? E : never;
}[Endpoint];

/** The endpoints that return a list by pages. */
export type PagedEndpoint = {
  [E in Endpoint]: 'cursor' extends KeysOf<Parameters<E, 'query'>> ? E : never;
}[Endpoint];

/** A page of a list. */
export type Page<E extends PagedEndpoint> = Extract<Data<E>, { items: readonly unknown[] }>;

/** An item of a list. */
export type Item<E extends PagedEndpoint> = Page<E>['items'][number];

type ParamsOption<E extends Endpoint> = [Parameters<E, 'path'>] extends [never]
  ? { readonly params?: never }
  : { readonly params: { readonly [Name in keyof Parameters<E, 'path'>]: string | number } };

type QueryOption<E extends Endpoint> = [Parameters<E, 'query'>] extends [never]
  ? { readonly query?: never }
  : {
      readonly query?: {
        readonly [Name in keyof Parameters<E, 'query'>]?: Parameters<E, 'query'>[Name] | undefined;
      };
    };

type ContentOf<E extends Endpoint> = NonNullable<Operation<E>['requestBody']>['content'];

type BodyInput<Content> = Content extends { 'application/json': infer Body }
  ? Body
  : Content extends { 'multipart/form-data': unknown }
    ? FormData
    : never;

type BodyOption<E extends Endpoint> = [NonNullable<Operation<E>['requestBody']>] extends [never]
  ? { readonly body?: never }
  : undefined extends Operation<E>['requestBody']
    ? { readonly body?: BodyInput<ContentOf<E>> }
    : { readonly body: BodyInput<ContentOf<E>> };

type IfMatchOption<E extends Endpoint> =
  'if-match' extends HeaderName<E>
    ? {
        /** The `etag` or the `version` that you read. If the record has changed since, the call throws a ConflictError. */
        readonly ifMatch?: string | number | undefined;
      }
    : { readonly ifMatch?: never };

type IdempotencyOption<E extends Endpoint> =
  'idempotency-key' extends HeaderName<E>
    ? {
        /**
         * Names the request, so that repeating it creates nothing new. By default each call has a key of its own. Pass
         * your own to repeat a call yourself, or `false` where only the first response holds a secret.
         */
        readonly idempotencyKey?: string | false | undefined;
      }
    : { readonly idempotencyKey?: never };

/** What every call may set. */
export interface CommonOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for a response, of each attempt. 60 s by default; `Infinity` for none. ms. */
  readonly timeoutMs?: number | undefined;
  /** The longest time for repeating a failed call. 10 s by default. ms. */
  readonly retryMs?: number | undefined;
  /** Says that a POST may be repeated although it has no Idempotency-Key. */
  readonly isRepeatable?: boolean | undefined;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean | undefined;
  /** Sends this call, such as `withProgress(show)`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What a URL consists of besides its endpoint. */
export type UrlOptions<E extends Endpoint> = ParamsOption<E> & QueryOption<E>;

/** What a call consists of besides its endpoint. */
export type Options<E extends Endpoint> = CommonOptions &
  UrlOptions<E> &
  BodyOption<E> &
  IfMatchOption<E> &
  IdempotencyOption<E>;

type PlainOptions = Pick<CommonOptions, 'headers' | 'signal' | 'timeoutMs' | 'retryMs'>;

/** Options of a list that is read page by page. */
export type PageOptions<E extends PagedEndpoint> = UrlOptions<E> &
  PlainOptions & {
    /** The most pages to read. 100 by default. */
    readonly maxPages?: number | undefined;
  };

/** Options of a list that is read item by item. */
export type ItemOptions<E extends PagedEndpoint> = UrlOptions<E> &
  PlainOptions & {
    /** The most items to read. 10,000 by default. */
    readonly maxItems?: number | undefined;
  };

/** Options as an argument that is only required if one of them is. */
export type Argument<All> = Record<string, never> extends All ? [options?: All] : [options: All];
