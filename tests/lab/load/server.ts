import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newLogTally } from './log-tally.ts';
import type { Usage } from './usage.ts';

const root = join(import.meta.dirname, '../../..');
const startMs = 60_000;
const usageMs = 30_000;

/** The service in a separate process, with data that is deleted afterwards. */
export interface LoadedServer {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** Returns its usage so far; `collect` collects all garbage first. */
  usage(options?: { readonly collect: boolean }): Promise<Usage>;
  /** Returns logged warnings and errors, with their counts. */
  complaints(): string[];
  stop(): Promise<void>;
}

const admin = { email: 'load@example.com', password: 'the password of the load' };

/** Ignores the caller's settings, because the figures are for the defaults. */
const environment = (folder: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PORT: '0',
  DATA_DIR: folder,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  // Rate limits would distort the figures.
  RATE_LIMIT_FACTOR: '999999',
  // Local email would only fill memory.
  MAIL_FROM: '',
  POWERTOOLS_LOG_LEVEL: 'WARN',
});

/**
 * Starts the service as `npm start` does, on free ports, with its data in `folder` or in a new one. The folder is deleted
 * in the end.
 */
export const startServer = async ({
  folder: given,
  settings = {},
}: {
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<LoadedServer> => {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'handbill-load-')));
  const preload = join(import.meta.dirname, 'report-usage.ts');
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', preload, 'infra/local/start.ts'],
    {
      cwd: root,
      env: { ...environment(folder), ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const exited = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), startMs);
    await exited;
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
  };

  const tally = newLogTally();
  child.stderr?.setEncoding('utf8').on('data', tally.add);
  const ready = Promise.withResolvers<string>();
  let output = '';
  // The service blocks when no one reads its log.
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.includes('Press Ctrl+C')) return;
    output += chunk;
    const url = output.match(/running at (http:\/\/\S+)/)?.[1];
    if (url && output.includes('Press Ctrl+C')) ready.resolve(url);
  });
  child.once('exit', () =>
    ready.reject(new Error(`The service did not start: ${tally.lines().join(', ')}`)),
  );
  const late = setTimeout(() => ready.reject(new Error('The service does not start')), startMs);
  try {
    const url = await ready.promise;
    return {
      url: url.replace('localhost', '127.0.0.1'),
      admin,
      complaints: tally.lines,
      async usage({ collect } = { collect: false }) {
        const answered = once(child, 'message', { signal: AbortSignal.timeout(usageMs) });
        child.send({ collect });
        return (await answered)[0] as Usage;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
};
