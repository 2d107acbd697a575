import * as z from 'zod';
import { idField } from '../../../../shared/db/ids.ts';
import { Email, integer, optional } from '../../../../shared/input/fields.ts';

/** What the API document says of an option, and who sees it. */
interface About {
  /** What it means in a request. */
  readonly input?: string;
  /** What it means in a response. */
  readonly output?: string;
  /** Whether readers see it as if it were not set. */
  readonly isPrivate?: true;
}

/**
 * An option of a share. A request's value is stored as it is, but null, false and an empty list are stored as nothing,
 * which responses show as `none`.
 */
export interface Option<Value, Shown> {
  /** How a form lets its user choose. */
  readonly kind: 'text' | 'count' | 'flag' | 'list' | 'choice' | 'people';
  /** What requests can say, besides null. */
  readonly value: z.ZodType<Value>;
  /** What responses say. */
  readonly shown: z.ZodType<Shown>;
  /** What responses say without it. */
  readonly none: Shown;
  readonly about: About;
  /** Reads it where only texts can be sent: in queries and forms. Leaves anything else for the error. */
  fromText(text: unknown): unknown;
}

/** Creates an option that is a text. Blank is none. */
export const text = (value: z.ZodString, about: About = {}): Option<string, string | null> => ({
  kind: 'text',
  value,
  shown: z.string().nullable(),
  none: null,
  about,
  fromText: (given) => given,
});

/** Creates an option that is an integer from 1 to a maximum. */
export const count = (max: number, about: About = {}): Option<number, number | null> => ({
  kind: 'count',
  value: integer(max),
  shown: z.int().nullable(),
  none: null,
  about,
  fromText: toNumber,
});

/** Creates an option that is on or off. */
export const flag = (about: About): Option<boolean, boolean> => ({
  kind: 'flag',
  value: z.boolean(),
  shown: z.boolean(),
  none: false,
  about,
  fromText: toBoolean,
});

const splitList = (given: unknown): unknown =>
  typeof given === 'string' ? given.split(/[\s,]+/).filter((one) => one !== '') : given;

/** Creates an option that is a list of up to `max` texts. Written as one text, blanks or commas are between them. */
export const list = (
  entry: z.ZodString,
  max: number,
  about: About,
): Option<string[], string[]> => ({
  kind: 'list',
  value: z
    .array(entry)
    .max(max)
    .overwrite((entries) => [...new Set(entries)]),
  shown: z.array(z.string()),
  none: [],
  about,
  fromText: splitList,
});

/** Creates an option that is one of several words. `none` is the one that is stored as nothing. */
export const choice = <const Word extends string, const None extends NoInfer<Word>>(
  words: readonly Word[],
  none: None,
  about: About,
): Option<Word, Word> => ({
  kind: 'choice',
  value: z.enum(words, `must be one of ${words.join(', ')}`),
  shown: z.enum(words),
  none,
  about,
  fromText: (given) => given,
});

/** Creates an option that is up to `max` users. Requests name them by id or email address; their ids are stored. */
export const people = (max: number, about: About): Option<(number | string)[], number[]> => ({
  kind: 'people',
  value: z
    .array(z.union([idField('a user'), Email], 'must be the id or the email address of a user'))
    .max(max, `must contain at most ${max} people`)
    .overwrite((entries) => [...new Set(entries)]),
  shown: z.array(z.int().positive()),
  none: [],
  about,
  fromText: splitList,
});

/** Adds a description, if there is one. */
const describe = <Schema extends z.ZodType>(schema: Schema, description: string | undefined) =>
  description === undefined ? schema : schema.meta({ description });

/** Returns the schema of an option in a body: left out, null or a value. */
export const toBodyField = <Value>({ value, about }: Option<Value, unknown>) =>
  describe(optional(value), about.input);

/** Returns the schema of an option in a query. */
export const toParameter = <Value>({ value, about, fromText }: Option<Value, unknown>) =>
  describe(z.preprocess(fromText, value).optional(), about.input);

/** Returns the schema of an option in a response. */
export const toShownField = <Shown>({ shown, about }: Option<unknown, Shown>) =>
  describe(shown, about.output);

/** Reads digits as a number, and leaves anything else for the error. */
export const toNumber = (given: unknown): unknown =>
  typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;

/** Reads `true` and `false`, and leaves anything else for the error. */
export const toBoolean = (given: unknown): unknown =>
  given === 'true' || given === 'false' ? given === 'true' : given;
