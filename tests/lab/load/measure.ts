import autocannon from 'autocannon';
import type { Scenario } from './scenarios.ts';
import type { LoadedServer } from './server.ts';
import type { Site } from './site.ts';

/** As in API Gateway, after which no client receives a response. */
const timeoutSeconds = 30;
const warmUpSeconds = 3;

/** The result of sending requests for some time. */
export interface Measured {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU of the server's process, all threads, per request. */
  readonly cpuMs: number;
  readonly answered: number;
  /** Responses other than 2xx, timeouts and broken connections. */
  readonly errors: number;
}

/** Sends a scenario's requests to a running service, as fast as it responds or at a rate. */
export const ask = async (
  { url }: LoadedServer,
  site: Site,
  { connections, requests }: Scenario,
  { seconds, rate }: { readonly seconds: number; readonly rate?: number },
): Promise<autocannon.Result> =>
  autocannon({
    url,
    connections,
    duration: seconds,
    timeout: timeoutSeconds,
    requests: [...requests(site)],
    ...(rate !== undefined && { overallRate: rate }),
  });

/** Returns the number of a run's requests without a successful response. Autocannon counts timeouts as errors. */
export const errorsOf = ({ errors, non2xx }: autocannon.Result): number => errors + non2xx;

/** Measures a scenario, after some seconds of warming up. */
export const measure = async (
  server: LoadedServer,
  site: Site,
  scenario: Scenario,
  seconds: number,
): Promise<Measured> => {
  await ask(server, site, scenario, { seconds: Math.min(seconds, warmUpSeconds) });
  const before = await server.usage();
  const result = await ask(server, site, scenario, { seconds });
  const after = await server.usage();
  const answered = result['2xx'] + result.non2xx;
  return {
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    // Requests that are still open at the end count in the CPU but not in the responses.
    cpuMs: (after.cpuMs - before.cpuMs) / Math.max(1, answered),
    answered,
    errors: errorsOf(result),
  };
};
