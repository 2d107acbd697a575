import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const runtime = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

/** The cost of a cold start. CPU is user and system time together. */
export interface ColdStart {
  /** CPU from the start of Node until the function waits for an event: Node, Lambda's runtime, the bundle. */
  readonly initCpuMs: number;
  readonly initWallMs: number;
  /** Bytes of the bundle loaded by then. */
  readonly initBytes: number;
  /** CPU from the event to the response. */
  readonly requestCpuMs: number;
  readonly requestWallMs: number;
}

/** The figures that a process reports whenever it waits for an event. */
interface Taken {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly loadedBytes: number;
  readonly answer?: string;
}

/** A first request of a function, and the expected response. */
export interface FirstRequest {
  readonly event: unknown;
  isAnsweredBy(response: unknown): boolean;
}

/** Is called with the process's id when it waits for its first event, and when it has answered. */
export interface Observer {
  onStarted(pid: number): void;
  onAnswered(): void;
}

/** Compiles the stand-in for the runtime's native client to JavaScript, so that no process loads a compiler. */
export const buildRuntimeClient = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'runtime-client.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'runtime-client.ts')],
    outfile,
    format: 'cjs',
    platform: 'node',
    logLevel: 'warning',
  });
  return outfile;
};

/** A bundle and the environment that it starts in. */
export interface Started {
  readonly bundle: string;
  /** The file that `buildRuntimeClient` returns. */
  readonly runtimeClient: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a function in a new process under `aws-lambda-ric`, as Lambda does, and sends it a request, if one is given.
 * Returns what the process has reported, when it first waited for an event and when it had answered.
 */
const run = async (
  { bundle, runtimeClient, env }: Started,
  request: FirstRequest | undefined,
  { onStarted, onAnswered }: Partial<Observer> = {},
): Promise<readonly [Taken, ...Taken[]]> => {
  const folder = dirname(bundle);
  const child = spawn(process.execPath, ['--require', runtimeClient, runtime], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      _HANDLER: `${parse(bundle).name}.handler`,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9',
      AWS_LAMBDA_FUNCTION_NAME: 'x',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/x',
      AWS_LAMBDA_LOG_STREAM_NAME: '[$LATEST]x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: 30_000,
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-2_000);
    });
  }
  const told: Taken[] = [];
  const pipe = child.stdio[3] as NodeJS.ReadableStream;
  for await (const line of createInterface(pipe)) {
    told.push(JSON.parse(line));
    if (told.length === 1 && request) {
      onStarted?.(child.pid ?? 0);
      child.stdin?.write(`${JSON.stringify(request.event)}\n`);
    } else {
      onAnswered?.();
      child.stdin?.end();
    }
  }
  // Also when it has ended without an answer.
  onAnswered?.();
  await exited;
  const [init, answered] = told;
  if (!init || (request && !answered)) throw new Error(`${bundle} doesn't answer: ${output}`);
  if (request && !request.isAnsweredBy(JSON.parse(answered?.answer ?? 'null'))) {
    throw new Error(`${bundle} answers ${answered?.answer}: ${output}`);
  }
  return told as [Taken, ...Taken[]];
};

/**
 * Returns the CPU of a start, in ms, without a request.
 * @throws Error when it doesn't start
 */
export const startCpuMs = async (started: Started): Promise<number> =>
  (await run(started, undefined))[0].cpuMs;

/**
 * Measures a start and a first request.
 * @throws Error when it doesn't start or returns another response than expected
 */
export const coldStart = async (
  started: Started,
  request: FirstRequest,
  observer?: Observer,
): Promise<ColdStart> => {
  const [init, answered = init] = await run(started, request, observer);
  return {
    initCpuMs: init.cpuMs,
    initWallMs: init.wallMs,
    initBytes: init.loadedBytes,
    requestCpuMs: answered.cpuMs - init.cpuMs,
    requestWallMs: answered.wallMs - init.wallMs,
  };
};
