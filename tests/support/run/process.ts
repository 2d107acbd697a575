import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { capture } from './log-secrecy.ts';
import { keepSecret, keepSecretsOf } from './secrets.ts';

const root = join(import.meta.dirname, '../../..');

/** Lets the processes of tests share compiled modules, so that each starts in less time. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/handbill') };

/** Returns the environment of a process, without the tests' own settings. */
const createEnvironment = (): Record<string, string> => ({
  ...compileCache,
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PASSWORD_COST: '4',
  PORT: '0',
  POWERTOOLS_LOG_LEVEL: 'DEBUG',
  POWERTOOLS_METRICS_DISABLED: 'false',
});

/** Creates a folder that is removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'handbill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Returns a port that was free a moment ago. */
export const freePort = async (): Promise<string> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
};

/** Secrets that the start may print, once; later output must not contain them. */
const shownSecrets = {
  'password of the super_admin': /(?<=Admin +\S+, password )\S+/,
  // The accounts of the demo share one password.
  'password of the employee': /(?<=\n {2}Employee +\S+, password )\S+/,
  'password of the newcomer': /(?<=\n {2}Newcomer +\S+, password )\S+/,
  'password of who has an app': /(?<=\n {2}With an app +\S+, password )[^\s,]+/,
  'key of the authenticator app': /(?<=, key of the authenticator app )\S+/,
  'secret key of the engines': /(?<=\n {2}Secret key +)\S+/,
  'path of the email page': /(?<=\n {2}Email +https?:\/\/[^/\s]+\/)\S+/,
};

/** Adds the output of a process, from a position on, to what is searched for secrets. */
export const captureOutput = (output: string, from = 0): void => {
  let rest = output.slice(from);
  for (const [kind, pattern] of Object.entries(shownSecrets)) {
    const [secret] = output.match(pattern) ?? [];
    if (secret !== undefined) keepSecret(kind, secret);
    rest = rest.replace(pattern, '');
  }
  capture('process', rest);
};

/** Starts a process of the service. `preload` is a module that it loads first, with a channel to this process. */
export const launch = (
  settings: Record<string, string>,
  options: readonly string[] = [],
  preload?: string,
) => {
  keepSecretsOf(settings);
  const loads = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...loads, 'infra/local/start.ts', ...options], {
    cwd: root,
    env: { ...createEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : (['ipc'] as const))],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, exited, output: () => output, errors: () => errors };
};

export type Launched = ReturnType<typeof launch>;

/** Waits until a process is ready. */
export const waitUntilReady = async ({
  child,
  exited,
  output,
  errors,
}: Launched): Promise<void> => {
  const isExpired = exited.then(() => true);
  while (!output().includes('Press Ctrl+C')) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), isExpired]);
    if (ended) throw new Error(`The service did not start: ${errors()}`);
  }
};

/** Reads from the output of a process where it listens. */
export const readAddresses = (output: string) => {
  const find = (label: string) => output.match(new RegExp(`${label} +(\\S+)`))?.[1] ?? '';
  return {
    url: find('running at'),
    dynamoDbUrl: find('DynamoDB'),
    accessKey: { accessKeyId: find('Access key'), secretAccessKey: find('Secret key') },
  };
};

/** Returns the address that a service prints behind a label, or an empty text. */
export const addressOf = ({ output }: ServiceProcess, label: string): string =>
  output().match(new RegExp(`\n +${label} +(http://\\S+)`))?.[1] ?? '';

/** Returns the permissions of a file or folder in octal, such as 700. */
export const rightsOf = async (...path: readonly string[]): Promise<string> =>
  ((await stat(join(...path))).mode & 0o777).toString(8);

/** Starts a service that is expected to fail, and waits until it exits. */
export const startAndFail = async (
  settings: Record<string, string>,
  options: readonly string[] = [],
) => {
  const { exited, output, errors } = launch(settings, options);
  const code = await exited;
  captureOutput(`${output()}\n${errors()}`);
  return { code, output: output(), errors: errors() };
};

export interface ServiceProcess {
  readonly url: string;
  readonly dynamoDbUrl: string;
  /** The key of its data folder; empty when it uses another key. */
  readonly accessKey: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly output: () => string;
  /** What it wrote to stderr, such as logged errors. */
  readonly errors: () => string;
  readonly child: ChildProcess;
  /** Sends SIGINT, as Ctrl+C does, and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Records the signing secret that a service generated, unless one is set. */
export const keepSigningSecret = async ({ DATA_DIR = '', JWT_SECRET }: Record<string, string>) => {
  if (JWT_SECRET !== undefined) return;
  keepSecret('signing secret', await readFile(join(DATA_DIR, 'jwt-secret'), 'utf8'));
};

/**
 * Starts the service as `npm start` does, in a separate process, and waits until it is ready. `preload` is a module that it
 * loads first.
 */
export const startProcess = async (
  settings: Record<string, string>,
  options: readonly string[] = [],
  preload?: string,
): Promise<ServiceProcess> => {
  const launched = launch(settings, options, preload);
  const { child, output, errors } = launched;
  const exited = launched.exited.then((code) => {
    captureOutput(`${output()}\n${errors()}`);
    return code;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await waitUntilReady(launched);
  await keepSigningSecret(settings);
  return {
    ...readAddresses(output()),
    output,
    errors,
    child,
    stop: () => {
      child.kill('SIGINT');
      return exited;
    },
  };
};

/** Sends a request with an optional JSON body to a running service. */
export const send = async (
  url: string,
  { method = 'GET', token, body }: { method?: string; token?: string; body?: unknown } = {},
) => {
  keepSecretsOf({ url, token, body });
  const response = await fetch(url, {
    method,
    headers: {
      connection: 'close',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body
  const answer = { status: response.status, body: JSON.parse(text) as any };
  keepSecretsOf(answer);
  return answer;
};
