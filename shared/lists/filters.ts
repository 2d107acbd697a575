import * as z from 'zod';
import { invalidField } from '../runtime/errors.ts';

/** For a query parameter that filters a list: an empty value means no filter. */
export const emptyAsUndefined = (value: unknown): unknown => (value === '' ? undefined : value);

/** A query parameter that says `true` or is left out. */
export const isTrue = z.preprocess(
  emptyAsUndefined,
  z
    .literal('true', 'must be true')
    .transform(() => true as const)
    .optional(),
);

/**
 * Refuses a second filter (decisions.md#lists).
 * @throws AppError VALIDATION_ERROR about the second of those that are given
 */
export const assertSingleFilter = (filters: Readonly<Record<string, unknown>>): void => {
  const given = Object.keys(filters).filter((name) => filters[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined) throw invalidField(second, `cannot be combined with ${first}`);
};
