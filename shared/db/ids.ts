import { randomFillSync, randomInt } from 'node:crypto';
import * as z from 'zod';

/** Ids count from here, so that they stay below 2^53 until 2094. */
const epochMs = Date.UTC(2025, 0, 1);
const randomBits = 12;

/**
 * Creates an integer id below 2^53: milliseconds since 2025, then 12 random bits. Ids sort by creation. Two of the same
 * millisecond may be equal, so the put must be conditional and retry with another id.
 */
export const createId = (): number =>
  (Date.now() - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);

/** Returns the smallest id created at a time (ms since 1970). */
export const getFirstIdAt = (ms: number): number => Math.max(0, ms - epochMs) * 2 ** randomBits;

/** Schema of an id in a path. Anything but a positive safe integer identifies nothing (decisions.md#ids). */
export const RecordId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

const invalidId = (what: string) => `must be the id of ${what}`;

/** Creates the schema of an id in a query. `what` describes it in messages, such as `a user`. */
export const idText = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,15}$/, invalidId(what))
    .transform(Number)
    .refine(Number.isSafeInteger, invalidId(what));

/** Creates the schema of an id in a body: a number or its digits. */
export const idField = (what: string) =>
  z.union([z.int(invalidId(what)).positive(invalidId(what)), idText(what)], invalidId(what));

/** Random bytes in stock, because each request for some is a system call. */
const stock = Buffer.alloc(4_096);
let used = stock.length;

/** Creates a text of random bytes, at most 4,096, URL-safe. */
export const createRandomText = (bytes: number): string => {
  if (used + bytes > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += bytes;
  return stock.toString('base64url', used - bytes, used);
};

/** Creates an unguessable id: 128 random bits, URL-safe, 22 characters. None starts as an option of a command does. */
export const createRandomId = (): string => {
  const id = createRandomText(16);
  return id.startsWith('-') ? createRandomId() : id;
};
