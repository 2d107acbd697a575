/**
 * Runs in a function's process before Lambda's runtime. Replaces the runtime's native client, which is not built on
 * every machine, and reports usage and environment reads with each response. Uses the caller's clock, which stands
 * still during an invocation.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import Module from 'node:module';
import { basename } from 'node:path';
import { peakMemory } from '../../support/run/peak-memory.ts';

const [hostname, port] = (process.env['AWS_LAMBDA_RUNTIME_API'] ?? '').split(':');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const read = new Set<string>();
const environment = new Proxy(process.env, {
  get: (target, name) => {
    if (typeof name === 'string') read.add(name);
    return Reflect.get(target, name);
  },
  has: (target, name) => {
    if (typeof name === 'string') read.add(name);
    return Reflect.has(target, name);
  },
});
Object.defineProperty(process, 'env', { value: environment });

let now: number | undefined;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now ?? RealDate.now()] : args, newTarget),
  apply: () => new RealDate(now ?? RealDate.now()).toString(),
  get: (target, name) => (name === 'now' ? () => now ?? RealDate.now() : Reflect.get(target, name)),
});

interface Answer {
  readonly bodyJson: string;
  readonly headers: IncomingHttpHeaders;
}

const ask = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        hostname,
        port,
        agent,
        method,
        path: `/2018-06-01/runtime/${path}`,
        headers: { ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ bodyJson: Buffer.concat(chunks).toString(), headers: response.headers });
      },
    );
    asked.on('error', reject).end(body);
  });

let startedAt = process.cpuUsage(process.cpuUsage());

/** Usage: names of settings, memory in KB, CPU in µs. */
const taken = () => {
  const { user, system } = process.cpuUsage(startedAt);
  return {
    'handbill-settings': [...read].join(),
    'handbill-rss': peakMemory(),
    'handbill-cpu': user + system,
  };
};

let answered: Promise<unknown> = Promise.resolve();

/** The interface that the runtime expects of the native client. */
const client = {
  initializeClient: () => {},
  next: async () => {
    await answered;
    const invocation = await ask('GET', 'invocation/next', taken());
    now = Number(invocation.headers['handbill-now']);
    startedAt = process.cpuUsage();
    return invocation;
  },
  done: (id: string, body: string) => {
    answered = ask('POST', `invocation/${id}/response`, taken(), body);
  },
  error: (id: string, body: string) => {
    answered = ask('POST', `invocation/${id}/error`, taken(), body);
  },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };
const load = loader._load;
// The file is missing if npm ran no scripts.
loader._load = (request, ...rest) =>
  basename(request) === 'rapid-client.node' ? client : load(request, ...rest);
