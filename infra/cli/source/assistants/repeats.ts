import { usageError } from '../error-mapping.ts';

/** Calls by what the caller knows them by, so that a repeated one does nothing twice. */
export interface Repeats<Result> {
  /**
   * Runs a call, or returns the result of the same one before; a failed one runs again. Without an id, it always runs.
   * @throws CliError for an id of a call with other arguments
   */
  run(id: unknown, given: object, call: () => Promise<Result>): Promise<Result>;
}

/** How many calls are remembered. */
const maxKnown = 100;

/** Remembers the results of calls, which can’t be made again: each would have another key. */
export const createRepeats = <Result>(): Repeats<Result> => {
  const known = new Map<string, { readonly given: string; readonly result: Promise<Result> }>();
  return {
    run: (id, given, call) => {
      if (typeof id !== 'string' || id === '') return call();
      const asked = JSON.stringify(given);
      const before = known.get(id);
      if (before?.given === asked) return before.result;
      if (before) throw usageError('This requestId was used for another call. Send a new one.');
      const result = call();
      known.set(id, { given: asked, result });
      const [oldest = ''] = known.keys();
      if (known.size > maxKnown) known.delete(oldest);
      result.catch(() => known.delete(id));
      return result;
    },
  };
};
