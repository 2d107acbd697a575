import autocannon from 'autocannon';
import type { Scenario } from './scenarios.ts';
import type { LoadedServer } from './server.ts';
import type { Site } from './site.ts';

/** As API Gateway: what takes longer is answered by nobody. */
const timeoutSeconds = 30;
const warmUpSeconds = 3;

/** What came of asking for something for a while. */
export interface Measured {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server's process, all of its threads, for one request. */
  readonly cpuMs: number;
  readonly answered: number;
  /** Answers other than 2xx, time-outs and broken connections. */
  readonly errors: number;
}

/** Asks a running service for a scenario's requests, as fast as it answers or at a rate. */
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

/** How many of a run's requests had no answer of success. Autocannon counts time-outs among its errors. */
export const errorsOf = ({ errors, non2xx }: autocannon.Result): number => errors + non2xx;

/** Measures a scenario, after some seconds that only warm up. */
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
    // Requests that are still being worked on at the end are in the CPU and not in the answers.
    cpuMs: (after.cpuMs - before.cpuMs) / Math.max(1, answered),
    answered,
    errors: errorsOf(result),
  };
};
