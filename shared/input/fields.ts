import * as z from 'zod';
import { isTimeZone } from '../runtime/settings.ts';

/** Characters that make a text read in another order than it is stored (Unicode bidirectional controls). */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/;

/** Control characters, and those that Unicode ends a line or a paragraph with. */
const controls = /[\p{Cc}\u2028\u2029]/u;
const controlsButLines = /(?![\n\t])\p{Cc}/u;

/** Anything but blanks, of which Braille has one, and what takes no room, such as fillers and variation selectors. */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;

/** A text of which nothing can be seen. */
export const isBlank = (text: string): boolean => !visible.test(text);

const plain = (text: z.ZodString): z.ZodString =>
  text
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .refine(
      (value) => !bidiControls.test(value),
      'must not contain bidirectional control characters',
    );

/** A text of one line, without spaces at its ends (decisions.md#text). `max` is in UTF-16 units. */
export const oneLine = (max: number): z.ZodString =>
  plain(z.string().trim().max(max)).refine(
    (text) => !controls.test(text),
    'must be one line without control characters',
  );

/** A text of one line with something to see in it, such as a name or a title. */
export const label = (max: number): z.ZodString =>
  oneLine(max)
    .min(1)
    .refine((text) => !isBlank(text), 'must contain a visible character');

/** Several lines as they were written, with the blanks at both ends; lines end with `\n` however they were sent. */
const lines = (): z.ZodString => z.string().overwrite((text) => text.replace(/\r\n?/g, '\n'));

const plainLines = (text: z.ZodString): z.ZodString =>
  plain(text).refine(
    (value) => !controlsButLines.test(value),
    'must not contain control characters except tabs and line breaks',
  );

/** A text of several lines, without spaces at its ends. `max` is in UTF-16 units. */
export const multiLine = (max: number): z.ZodString => plainLines(lines().trim().max(max));

/** A text of several lines with something to see in it, as it was written, of any length. */
export const prose = (): z.ZodString =>
  plainLines(lines().min(1)).refine((text) => !isBlank(text), 'must contain a visible character');

/** A field that may be left out or be null; a blank text means null. */
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

/**
 * An e-mail address, in lower case: those that differ in case only are the same. It is checked as it was sent, because lower
 * case makes ASCII of some other letters, and the address another account's.
 */
export const Email = z.string().trim().check(z.email()).max(254).toLowerCase();

/** An IANA time zone; one that is only an offset has no name that calendar apps know. */
export const TimeZone = z
  .string()
  .trim()
  .max(100)
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    'must be an IANA time zone such as Europe/Berlin',
  );
