import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * An order to a worker: respond to an event (JSON) once, at a time of its clock (ms), or measure it several times, each
 * with the same access token or with one that was never sent before.
 */
export type Order = { readonly event: string } & (
  | { readonly now: number }
  | { readonly times: number; readonly hasNewTokens: boolean }
);

/** A response, and its commands (JSON). */
export interface Answered {
  readonly status: number | undefined;
  readonly headers: object | undefined;
  readonly body: string | undefined;
  readonly commands: string;
}

export interface Report {
  readonly answered?: Answered;
  /** CPU per request, in µs. */
  readonly cpuUs?: number;
}

/** A separate process for a handler, as in Lambda. */
export interface HandlerProcess {
  /** @throws Error when the process has ended, or does not respond within a minute */
  ask(order: Order): Promise<Report>;
  end(): Promise<void>;
}

const timeoutMs = 60_000;

const ask = async (child: ChildProcess, order: Order): Promise<Report> => {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
  const onExit = () => ended.abort(new Error('A handler’s process has ended'));
  child.once('exit', onExit);
  try {
    const answered = once(child, 'message', { signal });
    child.send(order);
    const [report] = await answered;
    return report as Report;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    child.off('exit', onExit);
  }
};

/** Starts a process that has loaded the bundle, with only these settings. */
export const startProcess = (
  bundle: string,
  env: Readonly<Record<string, string>>,
): HandlerProcess => {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [bundle], {
    env: { NODE_ENV: 'production', ...env },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return {
    ask: (order) => ask(child, order),
    end: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
};
