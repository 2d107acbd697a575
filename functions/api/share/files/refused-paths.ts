import { AppError, invalidInput } from '../../../../shared/runtime/errors.ts';
import type { PathProblem } from '../../../../shared/share-files/paths.ts';

/** Creates the error of files that can’t be those of a share, as `checkPaths` says. */
export const refusePaths = (problems: readonly PathProblem[]): AppError => {
  const [first] = problems;
  const details = problems.map(({ message }) => ({ field: 'files', message }));
  if (first && problems.every(({ isTooLarge }) => isTooLarge)) {
    return new AppError('PAYLOAD_TOO_LARGE', first.message, { details: details.slice(0, 1) });
  }
  return invalidInput(details.filter((_, at) => !problems[at]?.isTooLarge));
};
