import { CliError } from '../error-mapping.ts';
import type { Outcome } from '../outcome.ts';
import { print } from '../terminal/output.ts';

/** Prints what a bundle of its own has to say. @throws CliError if it failed */
export const report = (outcome: Outcome): void => {
  if ('failure' in outcome) throw new CliError(outcome.failure.message, outcome.failure.exitCode);
  if (outcome.text !== undefined) print(outcome.text);
};
