import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import { toVisibleLine } from '../../../../../shared/text/visible.ts';
import { CliError, exitCodes } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';
import { note } from '../../terminal/output.ts';
import { createBar } from '../../terminal/progress.ts';

/** What became of the records of one kind. */
export interface Counts {
  readonly imported: number;
  readonly present: number;
  readonly refused: number;
}

/** What became of a record. */
export type Result = 'imported' | 'present' | 'skipped';

/** Says how many records lose something. */
export const describeLoss = (what: string, number: number, effect?: string): string =>
  `${what} (${number})${effect === undefined ? '' : `; ${effect}`}`;

/** Counts the records of one kind, and shows how far they are. */
export interface Tally {
  /**
   * Handles one record. What the service refuses is told and counted, and the next one is handled.
   * @throws what concerns all records, such as a lost connection
   */
  handle(path: string, work: () => Promise<Result>): Promise<void>;
  /** Takes note of what a record loses, and what that means for all that do. */
  lose(what: string, effect?: string): void;
  /** Ends the bar. */
  finish(): { readonly counts: Counts; readonly lost: readonly string[] };
}

/** A refusal of one record: others may be taken. A missing permission concerns all, as do a lost connection and sign-in. */
const isAboutRecord = (error: unknown): boolean =>
  (error instanceof CliError && error.exitCode === exitCodes.refused) ||
  (error instanceof ApiError && [400, 404, 409, 413, 422].includes(error.status));

/** Ends a kind of records, all of which the service refuses. */
export class KindRefused extends Error {
  override readonly name = 'KindRefused';
}

export const createTally = async (name: string, total: number): Promise<Tally> => {
  const bar = await createBar(name);
  const counts = { imported: 0, present: 0, refused: 0, skipped: 0 };
  const lost = new Map<string, { readonly number: number; readonly effect: string | undefined }>();
  let done = 0;
  return {
    async handle(path, work) {
      signal.throwIfAborted();
      try {
        counts[await work()] += 1;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ApiError && error.code === 'FORBIDDEN') {
          throw new KindRefused(error.message, { cause: error });
        }
        if (!isAboutRecord(error)) throw error;
        counts.refused += 1;
        // Names of an archive must not print lines of their own.
        note(toVisibleLine(`${path}: ${(error as Error).message}`));
      }
      done += 1;
      bar.update(done / total);
    },
    lose: (what, effect) => {
      lost.set(what, { number: (lost.get(what)?.number ?? 0) + 1, effect });
    },
    finish: () => {
      bar.stop();
      const { imported, present, refused } = counts;
      return {
        counts: { imported, present, refused },
        lost: [...lost].map(([what, { number, effect }]) => describeLoss(what, number, effect)),
      };
    },
  };
};
