/**
 * Loaded into a function's process before Lambda's runtime, in place of the runtime's native client, which is not built
 * on every machine. As that does, it waits for an event without a turn of the event loop. Whenever the runtime asks for
 * an event, it tells on a pipe what the process has taken up to then; nothing is loaded for it that Node has not.
 */
import { readSync, statSync, writeSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname } from 'node:path';

const [stdin, telling] = [0, 3];

let answer: string | undefined;

/** The files of the bundle that are loaded, in bytes. */
const loadedBytes = (): number =>
  Object.keys(require.cache)
    .filter((file) => dirname(file) === process.env['LAMBDA_TASK_ROOT'])
    .reduce((bytes, file) => bytes + statSync(file).size, 0);

const tell = (): void => {
  const { user, system } = process.cpuUsage();
  const wallMs = performance.now();
  const taken = { cpuMs: (user + system) / 1_000, wallMs, loadedBytes: loadedBytes(), answer };
  writeSync(telling, `${JSON.stringify(taken)}\n`);
};

/** An event is a line. */
const read = (): string => {
  const chunk = Buffer.alloc(64 * 1024);
  let line = '';
  while (!line.endsWith('\n')) {
    const length = readSync(stdin, chunk);
    if (length === 0) process.exit();
    line += chunk.toString('utf8', 0, length);
  }
  return line;
};

/** What the runtime expects of the native client. */
const client = {
  initializeClient: () => {},
  next: async () => {
    tell();
    const headers = {
      'lambda-runtime-aws-request-id': '00000000-0000-0000-0000-000000000000',
      'lambda-runtime-deadline-ms': String(Date.now() + 10_000),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:000000000000:function:x',
    };
    return { bodyJson: read(), headers };
  },
  done: (_: string, body: string) => {
    answer = body;
  },
  error: (_: string, body: string) => {
    answer = body;
  },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };
const load = loader._load;
// Where npm ran no scripts, there is no such file.
loader._load = (request, ...rest) =>
  basename(request) === 'rapid-client.node' ? client : load(request, ...rest);
