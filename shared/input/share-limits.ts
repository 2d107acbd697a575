import * as z from 'zod';

/** Ten years. */
export const maxExpirySeconds = 10 * 365 * 86_400;

/** The highest view limit. */
export const maxViews = 1_000_000;

/** Creates the schema of an integer from 1 to a maximum. */
export const integer = (max: number) => {
  const rule = `must be an integer from 1 to ${max}`;
  return z.int(rule).min(1, rule).max(max, rule);
};
