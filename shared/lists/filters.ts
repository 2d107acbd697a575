import * as z from 'zod';
import { invalidField } from '../runtime/errors.ts';

/** Treats an empty query parameter as no filter. */
export const emptyAsUndefined = (value: unknown): unknown => (value === '' ? undefined : value);

/** Schema of a query parameter that is `true` or absent. */
export const isTrue = z.preprocess(
  emptyAsUndefined,
  z
    .literal('true', 'must be true')
    .transform(() => true as const)
    .optional(),
);

/**
 * Checks that at most one filter is set (decisions.md#lists).
 * @throws AppError VALIDATION_ERROR about the second one
 */
export const assertSingleFilter = (filters: Readonly<Record<string, unknown>>): void => {
  const given = Object.keys(filters).filter((name) => filters[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined) throw invalidField(second, `cannot be combined with ${first}`);
};
