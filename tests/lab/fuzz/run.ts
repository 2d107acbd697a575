import * as fc from 'fast-check';
import { type Caller, type Callers, createCallers } from './callers.ts';
import { startEngines } from './engines.ts';
import { learn } from './learn.ts';
import { checkHead, checkOtherMethod } from './methods.ts';
import { allOperations, type Operation, schemas } from './operations.ts';
import { watchOutput } from './output.ts';
import { properties } from './properties.ts';
import { createRecords, kindOfPath } from './records.ts';
import { createRequests, type FuzzRequest, toCurl, toSent } from './request.ts';
import { createArbitraries } from './schema.ts';
import { createSender, type Replaced } from './send.ts';
import { findPlanted } from './stored.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Only this endpoint. Requests that create records for it are still sent, but less often. */
  readonly route?: string | undefined;
  /** Only routes of this group. */
  readonly group?: string | undefined;
  /** Routes that replace others of the same endpoint. */
  readonly replaced?: Replaced;
  onProgress?(done: number, findings: readonly Finding[]): void;
}

/** A violated property, with the smallest request that shows it. */
export interface Finding {
  readonly endpoint: string;
  readonly property: string;
  readonly what: string;
  readonly curl: string;
  /** The position in the run, which reproduces it together with the seed. */
  readonly path: string;
}

export interface FuzzReport {
  readonly requests: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** Number of responses by endpoint and status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Further attempts hardly make the request smaller. */
const mostShrinks = 150;
const mostFindings = 25;

class Found extends Error {
  readonly property: string;
  readonly request: FuzzRequest;
  constructor(property: string, what: string, request: FuzzRequest) {
    super(what);
    this.property = property;
    this.request = request;
  }
}

// A reused refresh token ends its session, although the response is 401.
const endsSessions = ({ operation }: FuzzRequest, status: number): boolean =>
  operation.endpoint === 'POST /api/auth/refresh' || (status < 400 && isOfAccounts(operation));

const isOfAccounts = ({ method, group }: Operation): boolean =>
  method !== 'GET' && ['auth', 'users', 'password'].includes(group);

const choose = ({ route, group }: FuzzOptions): Operation[] => {
  const chosen = allOperations().filter(
    (one) => (!route || one.endpoint === route) && (!group || one.group === group),
  );
  if (chosen.length === 0) throw new Error(`There is no route ${route ?? `of ${group}`}`);
  return chosen;
};

/** Weights requests that create records higher, because other requests depend on the records. */
const weightOf = ({ method, path }: Operation): number =>
  method === 'POST' && path.startsWith('/api/') ? 3 : method === 'DELETE' ? 1 : 2;

const open = async (options: FuzzOptions) => {
  const engines = await startEngines();
  const send = createSender(options.replaced);
  const records = createRecords();
  const callers: Callers = await createCallers(send, records);
  const requestsOf = createRequests(createArbitraries(schemas, records), records);
  const operations = choose(options);
  const makers = options.route
    ? allOperations().filter(
        ({ method, group }) => method === 'POST' && group === operations[0]?.group,
      )
    : [];
  const requests = fc.oneof(
    ...operations.map((one) => ({
      arbitrary: requestsOf(one),
      weight: weightOf(one) * (makers.length + 1),
    })),
    ...makers.map((one) => ({ arbitrary: requestsOf(one), weight: 1 })),
  );
  return { engines, send, records, callers, requests };
};

/**
 * Sends random requests to every route, checks every response against all properties, and returns the violations.
 * The same seed generates the same requests for the same code, except for ids and times.
 */
export const fuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const output = watchOutput();
  const started = performance.now();
  const { engines, send, records, callers, requests } = await open(options);
  const findings: Finding[] = [];
  const statuses = new Map<string, Map<number, number>>();
  const known = new Set<string>();
  let done = 0;
  let attempts = 0;

  const senderOf = (request: FuzzRequest): Caller => {
    const { operation, params, isByOwner } = request;
    const kind = kindOfPath(operation.path);
    const known = kind && isByOwner ? records.find(kind, params['id'] ?? '') : undefined;
    return callers.ofUser(known?.ownerId ?? -1) ?? callers.get(request.caller);
  };

  const check = async (request: FuzzRequest): Promise<void> => {
    const client = senderOf(request);
    const response = await send(toSent(request, client.token));
    const { endpoint } = request.operation;
    const counts = statuses.get(endpoint) ?? new Map<number, number>();
    statuses.set(endpoint, counts.set(response.status, (counts.get(response.status) ?? 0) + 1));
    const exchange = {
      request,
      caller: client,
      answer: response,
      records,
      secrets: callers.secrets(),
    };
    const report = (property: string, what: string | undefined) => {
      if (what !== undefined && !known.has(`${endpoint} ${property}`)) {
        throw new Found(property, what, { ...request, caller: client.name });
      }
    };
    for (const [name, property] of Object.entries(properties)) report(name, property(exchange));
    learn(exchange);
    if (done % 10 === 0) report('HEAD is GET without its body', await checkHead(send, exchange));
    if (done % 20 === 0) report('other methods', await checkOtherMethod(send, exchange));
    report('logs no secret', output.findSecret(exchange.secrets));
    if (endsSessions(request, response.status) || done % 500 === 0) await callers.renew();
  };

  const property = fc.asyncProperty(requests, async (request) => {
    // After a finding, these runs only shrink its request. At the limit, they pass.
    if (attempts > mostShrinks) return;
    if (attempts > 0) attempts++;
    else done++;
    if (done % 500 === 0) options.onProgress?.(done, findings);
    try {
      await check(request);
    } catch (error) {
      attempts = Math.max(1, attempts);
      throw error;
    }
  });

  try {
    for (let part = 0; done < options.requests && findings.length < mostFindings; part++) {
      attempts = 0;
      const result = await fc.check(property, {
        seed: options.seed + part,
        numRuns: options.requests - done,
      });
      if (!result.failed) continue;
      const error = result.errorInstance;
      if (!(error instanceof Found)) throw error;
      const { endpoint } = error.request.operation;
      known.add(`${endpoint} ${error.property}`);
      findings.push({
        endpoint,
        property: error.property,
        what: error.message,
        curl: toCurl(error.request),
        path: `${options.seed + part}/${result.counterexamplePath}`,
      });
      options.onProgress?.(done, findings);
    }
    const stored = await findPlanted();
    if (stored !== undefined) {
      findings.push({
        endpoint: 'the table',
        property: 'stores no foreign field',
        what: stored,
        curl: '',
        path: '',
      });
    }
  } finally {
    output.close();
    await engines.close();
  }
  const seconds = (performance.now() - started) / 1_000;
  return { requests: done, seconds, findings, statuses };
};
