import * as z from 'zod';
import { toAsciiDomain } from '../text/email-address.ts';
import { pattern } from '../text/pattern.ts';
import { lineRules, plainRules, type TextRule } from '../text/text-rules.ts';

/** Control characters except tabs and line breaks. */
const controlsButLines = pattern(String.raw`(?![\n\t])\p{Cc}`, 'u');

/** Any visible character: no blanks (including Braille's), fillers or variation selectors. */
const visible = pattern(String.raw`[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]`, 'u');

/** Returns whether the text contains no visible character. */
export const isBlank = (text: string): boolean => !visible().test(text);

const follow = (text: z.ZodString, rules: readonly TextRule[]): z.ZodString =>
  rules.reduce((schema, { isMet, message }) => schema.refine(isMet, message), text);

/** Creates the schema of a single line (decisions.md#text). Trims it. `max` is in UTF-16 units. */
export const oneLine = (max: number): z.ZodString => follow(z.string().trim().max(max), lineRules);

/** Creates the schema of a line with a visible character, such as a name or a title. */
export const label = (max: number): z.ZodString =>
  oneLine(max)
    .min(1)
    .refine((text) => !isBlank(text), 'must contain a visible character');

/** Creates a schema that converts line endings to `\n` and keeps surrounding blanks. */
const lines = (): z.ZodString => z.string().overwrite((text) => text.replace(/\r\n?/g, '\n'));

const plainLines = (text: z.ZodString): z.ZodString =>
  follow(text, plainRules).refine(
    (value) => !controlsButLines().test(value),
    'must not contain control characters except tabs and line breaks',
  );

/** Creates the schema of a text with several lines. Trims it. `max` is in UTF-16 units. */
export const multiLine = (max: number): z.ZodString => plainLines(lines().trim().max(max));

/** Creates the schema of a text of any length with a visible character. Keeps surrounding blanks. */
export const prose = (): z.ZodString =>
  plainLines(lines().min(1)).refine((text) => !isBlank(text), 'must contain a visible character');

/** Creates the schema of an integer from 1 to a maximum. */
export const integer = (max: number) => {
  const rule = `must be an integer from 1 to ${max}`;
  return z.int(rule).min(1, rule).max(max, rule);
};

/** Makes a field optional and nullable. A blank text becomes null. */
export const optional = <Schema extends z.ZodType>(
  schema: Schema,
  isNone: (text: string) => boolean = isBlank,
) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && isNone(value) ? null : value),
      schema.nullable(),
    )
    .optional();

/** As zod's, and with the top-level domains of other scripts, such as `xn--p1ai`. */
const addressPattern =
  /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([A-Za-z\d][A-Za-z\d-]*\.)+([A-Za-z]{2,}|xn--[A-Za-z\d-]+)$/;

/**
 * An email address in lower case, its domain in ASCII. The rest is checked before the conversion, because lower case turns some
 * other letters into ASCII and could result in another account's address.
 */
export const Email = z
  .string()
  .trim()
  .overwrite(toAsciiDomain)
  .check(z.email({ pattern: addressPattern }))
  .max(254)
  .toLowerCase();
