import { ApiError, ConflictError } from './api-error.ts';
import { type CachedReader, createReader } from './cache.ts';
import type {
  Argument,
  Body,
  Data,
  Endpoint,
  Item,
  ItemOptions,
  Options,
  Page,
  PagedEndpoint,
  PageOptions,
  UrlOptions,
} from './endpoints.ts';
import { keyedEndpoints } from './keyed-endpoints.ts';
import { type AnyPage, iterateItems, iteratePages } from './pages.ts';
import { type AskForProof, createProof, isUnproven } from './proof.ts';
import { defaultRetryMs, getRetryDelay, maxAttempts } from './retry.ts';
import { createSession, type TokenStore } from './session.ts';
import { type ApiResponse, type RawResponse, sleep, transmit } from './transport.ts';
import { toUrl, type UrlParts } from './url.ts';

/** Where the service is and how its user signs in: with tokens, or else with the session cookie of the site. */
export interface ClientSettings {
  /** The origin of the service; by default that of the page. */
  readonly baseUrl?: string;
  readonly fetch?: typeof fetch;
  /** The tokens that requests are sent with, and that the client renews. */
  readonly tokens?: TokenStore;
  /**
   * Called once for all calls that find the session ended. They wait for it and are then repeated, unless it returns
   * `false`.
   */
  readonly onSignedOut?: () => unknown;
  /**
   * Called once for concurrent calls that are refused until the user proves again who they are. They wait for it and are then
   * repeated, unless it returns `false`. It gets the refusal, whose details name what to prove it by.
   */
  readonly onUnproven?: AskForProof;
}

/** A client of the API. Every method throws an ApiError if the call fails, or the reason of its signal. */
export interface Client {
  /** Calls an operation and returns its data. */
  call<E extends Endpoint>(endpoint: E, ...options: Argument<Options<E>>): Promise<Data<E>>;
  /** Calls an operation and returns its data with the whole body, status, ETag and headers. */
  send<E extends Endpoint>(
    endpoint: E,
    ...options: Argument<Options<E>>
  ): Promise<ApiResponse<Data<E>, Body<E>>>;
  /** Reads the pages of a list by their cursors, and stops after `maxPages`. */
  pages<E extends PagedEndpoint>(
    endpoint: E,
    ...options: Argument<PageOptions<E>>
  ): AsyncGenerator<Page<E>, void, undefined>;
  /** Reads the items of a list, and stops after `maxItems`. */
  items<E extends PagedEndpoint>(
    endpoint: E,
    ...options: Argument<ItemOptions<E>>
  ): AsyncGenerator<Item<E>, void, undefined>;
  /** Creates a function that reads an operation again only if its response has changed. */
  reader<E extends Endpoint>(endpoint: E, ...options: Argument<Options<E>>): CachedReader<Data<E>>;
  /** Creates the URL of an operation, such as for a link. */
  url<E extends Endpoint>(endpoint: E, ...options: Argument<UrlOptions<E>>): string;
}

/** The options of any endpoint. */
interface AnyOptions extends UrlParts {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retryMs?: number | undefined;
  readonly isRepeatable?: boolean | undefined;
  readonly keepalive?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly ifMatch?: string | number | undefined;
  readonly idempotencyKey?: string | false | undefined;
}

interface ListOptions extends AnyOptions {
  readonly maxPages?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** The gateway itself waits 30 s. */
const defaultTimeoutMs = 60_000;

const toTag = (version: string | number): string =>
  typeof version === 'number' ? `"${version}"` : version;

const getIdempotencyKey = (endpoint: string, key: string | false | undefined) =>
  key ?? (endpoint in keyedEndpoints && crypto.randomUUID());

const isEnvelope = (body: unknown): body is { readonly data: unknown } =>
  (body as { success?: unknown } | undefined)?.success === true && 'data' in (body as object);

const toResponse = ({ status, headers, body }: RawResponse): ApiResponse<unknown> => ({
  status,
  data: isEnvelope(body) ? body.data : body,
  body,
  etag: headers.get('etag') ?? undefined,
  headers,
});

/** Returns whether a 401 is about what was sent, such as a password, and says nothing about the session. */
const isAboutInput = (endpoint: string, { query }: AnyOptions): boolean =>
  endpoint.startsWith('POST /api/auth/login') ||
  endpoint === 'POST /api/auth/mfa' ||
  endpoint === 'POST /api/auth/refresh' ||
  (endpoint === 'GET /api/share' && query?.['mine'] !== 'true');

/** Creates a client of the API. */
export const createClient = (settings: ClientSettings = {}): Client => {
  const { tokens, onSignedOut, onUnproven } = settings;
  const baseUrl = (settings.baseUrl ?? '').replace(/\/$/, '');

  const session = createSession({
    tokens,
    onSignedOut,
    refresh: (refreshToken) =>
      client.call('POST /api/auth/refresh', { body: { refreshToken }, isRepeatable: true }),
  });

  const proof = createProof(onUnproven);

  const toInit = (endpoint: string, options: AnyOptions, key: string | false): RequestInit => {
    const { body, keepalive = false, ifMatch, headers } = options;
    const isJson = body !== undefined && !(body instanceof FormData);
    return {
      method: endpoint.slice(0, endpoint.indexOf(' ')),
      credentials: tokens ? 'omit' : 'same-origin',
      redirect: 'manual',
      keepalive,
      headers: {
        ...(isJson && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': toTag(ifMatch) }),
        ...(key !== false && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    };
  };

  const send = async (
    endpoint: string,
    options: AnyOptions = {},
  ): Promise<ApiResponse<unknown>> => {
    const { signal, retryMs = defaultRetryMs, timeoutMs = defaultTimeoutMs } = options;
    const url = toUrl(baseUrl, endpoint, options);
    const key = getIdempotencyKey(endpoint, options.idempotencyKey);
    const init = toInit(endpoint, options, key);
    const retried = {
      method: init.method ?? '',
      isRepeatable: key !== false || options.isRepeatable === true,
      isConditional: options.ifMatch !== undefined,
    };
    const fetch = options.fetch ?? settings.fetch ?? globalThis.fetch;
    let isRecovered = isAboutInput(endpoint, options);
    let isProven = false;
    let startedAt = Date.now();
    for (let attempt = 1; ; attempt++) {
      const used = await session.getCredentials();
      const proofs = proof.getCount();
      const headers = {
        ...(init.headers as Record<string, string>),
        ...(used.accessToken && { authorization: `Bearer ${used.accessToken}` }),
      };
      try {
        const request = { fetch, url, init: { ...init, headers }, timeoutMs, signal };
        return toResponse(await transmit(request));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 401 && !isRecovered && (await session.recover(used, signal))) {
          isRecovered = true;
          attempt = 0;
          startedAt = Date.now();
          continue;
        }
        if (isUnproven(error) && !isProven) {
          await proof.recover(error, proofs, signal);
          isProven = true;
          attempt = 0;
          startedAt = Date.now();
          continue;
        }
        if (error.status === 412) throw toConflict(error, endpoint, options);
        const pause = getRetryDelay(error, attempt, retried);
        const isOver = attempt >= maxAttempts || Date.now() - startedAt + (pause ?? 0) > retryMs;
        if (pause === undefined || isOver) throw error;
        await sleep(pause, signal);
      }
    }
  };

  const toConflict = (error: ApiError, endpoint: string, { params, signal }: AnyOptions) =>
    new ConflictError(error, async <Value>() => {
      const record = endpoint.replace(/^\w+/, 'GET');
      const current = await send(record, { params, signal }).catch(() => undefined);
      return current && { data: current.data as Value, etag: current.etag };
    });

  const readPage = (endpoint: string, options: AnyOptions) => async (query: object) =>
    (await send(endpoint, { ...options, query: { ...options.query, ...query } })).data as AnyPage;

  // The types of each method follow from its endpoint; here they are those of any endpoint.
  const client = {
    send,
    call: async (endpoint: string, options?: AnyOptions) => (await send(endpoint, options)).data,
    pages: (endpoint: string, { maxPages, ...options }: ListOptions = {}) =>
      iteratePages(readPage(endpoint, options), { ...options, maxPages }),
    items: (endpoint: string, { maxItems, ...options }: ListOptions = {}) =>
      iterateItems(readPage(endpoint, options), { ...options, maxItems }),
    reader: (endpoint: string, options: AnyOptions = {}) =>
      createReader((headers) => send(endpoint, { ...options, headers }), options.headers),
    url: (endpoint: string, options: UrlParts = {}) => toUrl(baseUrl, endpoint, options),
  } as unknown as Client;
  return client;
};
