import { explain, type Failure } from './error-mapping.ts';
import { watchInterruption } from './interruption.ts';

/** What a command has to say, or how it failed: errors of one bundle are of other classes than those of another. */
export type Outcome = { readonly text?: string | undefined } | { readonly failure: Failure };

/** Runs what a bundle of its own does for a command. `getUrl` names the service in messages. */
export const settle = async (
  getUrl: () => string,
  run: () => Promise<string | undefined>,
): Promise<Outcome> => {
  watchInterruption();
  try {
    return { text: await run() };
  } catch (error) {
    const { message, exitCode } = explain(error, getUrl());
    return { failure: { message, exitCode } };
  }
};
