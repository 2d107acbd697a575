import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { capture } from '../../support/run/log-secrecy.ts';
import { accountId, region } from './intrinsics.ts';
import type { DeployedFunction } from './stack.ts';

const runtime = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

/** Usage of a function so far. */
export interface Taken {
  /** Names of the environment variables that it read. */
  readonly settings: ReadonlySet<string>;
  readonly maxRssMb: number;
  readonly invocations: number;
  /** Duration from the start of the process until it is ready. */
  readonly initMs: number;
  /** CPU time until then. */
  readonly initCpuMs: number;
  readonly longestMs: number;
  /** CPU time of the last invocation. */
  readonly lastCpuMs: number;
  /** Size of its log output. */
  readonly logBytes: number;
}

export interface FunctionProcess {
  /** Invokes it with an event, after all previous events. @throws FunctionError */
  invoke(event: unknown): Promise<unknown>;
  /** Whether it starts or processes an event. Otherwise Lambda freezes it. */
  isRunning(): boolean;
  taken(): Taken;
  /** Ends the process. The next event starts a new one, without these settings or with changed ones. */
  restart(options?: {
    readonly without?: readonly string[];
    readonly set?: Readonly<Record<string, string>>;
  }): Promise<void>;
  close(): Promise<void>;
}

/** A function error of Lambda: it threw, exited or timed out. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: FunctionError) => void;
  begun: number;
  timeout?: NodeJS.Timeout;
}

/**
 * Returns the variables that Lambda adds to the function's own.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
const reserved = ({ name, folder, handler, memoryMb }: DeployedFunction, runtimeApi: string) => ({
  _HANDLER: handler,
  _X_AMZN_TRACE_ID: '',
  AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  AWS_SESSION_TOKEN: `session-of-${name.replace(' ', '-')}`,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: name.replace(' ', '-'),
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name.replace(' ', '-')}`,
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/21/[$LATEST]0',
  AWS_LAMBDA_RUNTIME_API: runtimeApi,
  LAMBDA_TASK_ROOT: folder,
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  PATH: '/usr/local/bin:/usr/bin:/bin',
});

/** Node's memory options in Lambda's runtime: a tenth is for the young generation. */
const memoryFlags = (memoryMb: number): string[] => {
  const young = Math.floor(memoryMb / 10);
  return [
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memoryMb - young}`,
  ];
};

/**
 * Creates a function in a separate process under `aws-lambda-ric`, with its own Runtime API. It starts at once, beside
 * others. `endpoints` are the variables that direct its AWS clients to local engines.
 */
export const functionProcess = async (
  deployed: DeployedFunction,
  preload: string,
  endpoints: Readonly<Record<string, string>>,
): Promise<FunctionProcess> => {
  const waiting: Invocation[] = [];
  const settings = new Set<string>();
  const measured = {
    maxRssMb: 0,
    invocations: 0,
    initMs: 0,
    initCpuMs: 0,
    longestMs: 0,
    lastCpuMs: 0,
    logBytes: 0,
  };
  let current: Invocation | undefined;
  let idle: ServerResponse | undefined;
  let child: ChildProcess | undefined;
  let startedAt = 0;
  let isStarting = false;
  let isExpectedToEnd = false;
  let withheld: readonly string[] = [];
  let changed: Readonly<Record<string, string>> = {};

  const handOut = (): void => {
    if (!idle || current) return;
    current = waiting.shift();
    if (!current) return;
    const { id, event } = current;
    const now = Date.now();
    idle.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': id,
      'lambda-runtime-deadline-ms': now + deployed.timeoutSeconds * 1_000,
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:${region}:${accountId}:function:${deployed.name.replace(' ', '-')}`,
      'handbill-now': now,
    });
    idle.end(JSON.stringify(event));
    idle = undefined;
    current.begun = performance.now();
    current.timeout = setTimeout(() => {
      end(`Task timed out after ${deployed.timeoutSeconds} seconds`);
      child?.kill('SIGKILL');
    }, deployed.timeoutSeconds * 1_000);
  };

  const end = (failure: string | undefined, result?: unknown): void => {
    if (!current) return;
    const { begun, timeout, resolve, reject } = current;
    clearTimeout(timeout);
    measured.invocations++;
    measured.longestMs = Math.max(measured.longestMs, performance.now() - begun);
    current = undefined;
    // Lambda starts a function for an event, so what the start began may go on until that ends.
    isStarting = false;
    if (failure === undefined) resolve(result);
    else reject(new FunctionError(`${deployed.name}: ${failure}`));
  };

  const note = ({ headers }: IncomingMessage): void => {
    for (const name of String(headers['handbill-settings'] ?? '').split(',')) settings.add(name);
    measured.maxRssMb = Math.max(measured.maxRssMb, Number(headers['handbill-rss']) / 1_024);
    if (current) measured.lastCpuMs = Number(headers['handbill-cpu']) / 1_000;
  };

  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    note(request);
    if (url.endsWith('/invocation/next')) {
      measured.initMs ||= performance.now() - startedAt;
      measured.initCpuMs ||= Number(request.headers['handbill-cpu']) / 1_000;
      idle = response;
      handOut();
      return;
    }
    const body = await text(request);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
    if (url.endsWith('/response')) end(undefined, body === '' ? undefined : JSON.parse(body));
    else end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const runtimeApi = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const settingsLeft = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries({ ...deployed.environment, ...changed }).filter(
        ([name]) => !withheld.includes(name),
      ),
    );

  const start = (): void => {
    startedAt = performance.now();
    isStarting = true;
    const started = spawn(
      process.execPath,
      [...memoryFlags(deployed.memoryMb), '--import', preload, runtime],
      {
        cwd: deployed.folder,
        env: { ...reserved(deployed, runtimeApi), ...endpoints, ...settingsLeft() },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk) => {
        output = `${output}${chunk}`.slice(-2_000);
        measured.logBytes += Buffer.byteLength(chunk);
        capture('process', String(chunk));
      });
    }
    started.on('exit', (code, signal) => {
      if (child === started) child = undefined;
      idle = undefined;
      if (isExpectedToEnd) return;
      end(`the process ended with ${code ?? signal}: ${output}`);
      // A process that exits before its first event would exit again.
      for (const { reject } of waiting.splice(0)) {
        reject(new FunctionError(`${deployed.name}: can't be started: ${output}`));
      }
    });
  };

  const stop = async (): Promise<void> => {
    isExpectedToEnd = true;
    const exited = child && once(child, 'exit');
    child?.kill('SIGKILL');
    await exited;
  };

  start();
  return {
    invoke: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: randomUUID(), event, resolve, reject, begun: 0 });
        if (!child) start();
        handOut();
      }),
    isRunning: () => isStarting || current !== undefined,
    taken: () => ({ settings, ...measured }),
    restart: async ({ without = [], set = {} } = {}) => {
      await stop();
      isExpectedToEnd = false;
      withheld = without;
      changed = set;
    },
    close: async () => {
      await stop();
      server.closeAllConnections();
      server.close();
    },
  };
};
