import { AppError } from './errors.ts';

/**
 * A way to try something again that answers `undefined` where somebody else was faster: 8 times, or as often as it says.
 * What is tried throws AppError SERVICE_UNAVAILABLE with this message when it never comes through.
 */
export const retryOnConflict =
  (message: string, maxAttempts = 8) =>
  async <Result>(attempt: () => Promise<Result | undefined>): Promise<Result> => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const result = await attempt();
      if (result !== undefined) return result;
    }
    throw new AppError('SERVICE_UNAVAILABLE', message);
  };
