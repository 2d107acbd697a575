import { AppError } from '../../../../shared/runtime/errors.ts';
import type { PathProblem } from '../../../../shared/share-files/paths.ts';

/** Creates the error of files that can’t be those of a share, as `checkPaths` says: a 413 if they are only too large. */
export const refusePaths = (problems: readonly PathProblem[]): AppError => {
  const wrong = problems.filter(({ isTooLarge }) => !isTooLarge);
  const [code, named] =
    wrong.length > 0
      ? (['VALIDATION_ERROR', wrong] as const)
      : (['PAYLOAD_TOO_LARGE', problems.slice(0, 1)] as const);
  const messages = named.map(({ message }) => message);
  const details = [{ field: 'files', message: messages.join(' ') }];
  return new AppError(code, messages[0] ?? 'The files are invalid.', { details });
};
