import { AppError, invalidInput } from '../../../../shared/runtime/errors.ts';
import type { PathProblem } from '../../../../shared/share-files/paths.ts';

/** Creates the error of files that can’t be those of a share, as `checkPaths` says. */
export const refusePaths = (problems: readonly PathProblem[]): AppError => {
  const [first] = problems;
  if (first && problems.every(({ isTooLarge }) => isTooLarge)) {
    const details = [{ field: 'files', message: first.message }];
    return new AppError('PAYLOAD_TOO_LARGE', first.message, { details });
  }
  return invalidInput(
    problems.flatMap(({ message, isTooLarge }) =>
      // The error ends the sentence.
      isTooLarge ? [] : [{ field: 'files', message: message.replace(/\.$/, '') }],
    ),
  );
};
