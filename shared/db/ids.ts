import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod';

/** Ids count from here, so that they stay below 2^53 until the year 2094. */
const epochMs = Date.UTC(2025, 0, 1);
const randomBits = 12;

/**
 * A new integer id: the milliseconds since 2025, then 12 random bits. Ordered by creation, below 2^53.
 * Two in one millisecond may be equal: the put that uses it must be conditional, and try another.
 */
export const createId = (): number =>
  (Date.now() - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);

/** The least id that is made at a time (ms since 1970). */
export const getFirstIdAt = (ms: number): number => Math.max(0, ms - epochMs) * 2 ** randomBits;

/** An id in a path: anything else than a positive safe integer is the id of nothing (decisions.md#ids). */
export const RecordId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

const invalidId = (what: string) => `must be the id of ${what}`;

/** An id in a query, as its digits, of what the message names, such as `a user`. */
export const idText = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,15}$/, invalidId(what))
    .transform(Number)
    .refine(Number.isSafeInteger, invalidId(what));

/** An id in a body: a number, or its digits as text. */
export const idField = (what: string) =>
  z.union([z.int(invalidId(what)).positive(invalidId(what)), idText(what)], invalidId(what));

/** A new id that can't be guessed: 128 random bits, URL-safe, 22 characters. */
export const createRandomId = (): string => randomBytes(16).toString('base64url');
