import type * as z from 'zod';

/** Characters that make a text read in another order than it is stored (Unicode bidirectional controls). */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/;

/** A text that UTF-8 can hold, without characters that make it read otherwise than it is. */
export const plainText = (schema: z.ZodString): z.ZodString =>
  schema
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine((text) => !bidiControls.test(text), 'must not have bidirectional control characters');
