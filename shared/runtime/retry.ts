import { AppError } from './errors.ts';

/**
 * Creates a function that retries an attempt while it returns `undefined` because of a concurrent write, up to 8 times
 * by default.
 * @throws AppError SERVICE_UNAVAILABLE with the message after the last attempt
 */
export const createRetry =
  (message: string, maxAttempts = 8) =>
  async <Result>(attempt: () => Promise<Result | undefined>): Promise<Result> => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const result = await attempt();
      if (result !== undefined) return result;
    }
    throw new AppError('SERVICE_UNAVAILABLE', message);
  };
