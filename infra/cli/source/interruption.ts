import { CliError, exitCodes } from './error-mapping.ts';

const controller = new AbortController();

/** Aborts at Ctrl-C, so that what has begun is undone. */
export const interruption = controller.signal;

const interrupted = (): CliError => new CliError('Interrupted.', exitCodes.interrupted);

let isPaused = false;

/** Begins to watch for Ctrl-C. A second one ends the process at once. */
export const watchInterruption = (): void => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (isPaused) return;
      if (interruption.aborted) process.exit(exitCodes.interrupted);
      controller.abort(interrupted());
    });
  }
};

/** Leaves Ctrl-C to another program, such as an editor, while that runs. */
export const withoutInterruption = async <Value>(run: () => Promise<Value>): Promise<Value> => {
  isPaused = true;
  try {
    return await run();
  } finally {
    isPaused = false;
  }
};
