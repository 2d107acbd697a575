import * as z from 'zod';
import type { Actor } from '../auth/actor.ts';
import { encodingHeaders } from '../http/content/content-negotiation.ts';
import { emptyAsUndefined } from '../lists/filters.ts';
import { pageQuery } from '../lists/pagination.ts';

/** How a file of a list is written, beside the filters of the list. */
export const fileOptions = {
  format: z
    .preprocess(emptyAsUndefined, z.enum(['csv', 'ndjson'], 'must be csv or ndjson').default('csv'))
    .meta({
      description: '`csv` (RFC 4180) or `ndjson`: an object as the list has it on each line.',
    }),
  separator: z
    .preprocess(
      emptyAsUndefined,
      z.enum(['comma', 'semicolon'], 'must be comma or semicolon').default('comma'),
    )
    .meta({
      description:
        'What separates the columns of CSV. With `semicolon`, numbers have a decimal comma, as spreadsheets in German or French expect.',
    }),
};

/** The parameters of an export by parts, beside the filters of its list. */
export const exportQuery = {
  ...fileOptions,
  cursor: pageQuery.cursor.meta({
    description:
      'Empty for the first of several parts, then the `X-Next-Cursor` of the part before. Later parts of CSV have no header line, so that all of them together are one file.',
  }),
};

/** The headers that an export reads. */
export const exportHeaders = z.object(encodingHeaders);

/** How a file of a list is written. */
export type FileOptions = z.output<z.ZodObject<typeof fileOptions>>;

/** The query of an export, as far as all have it in common. */
export type ExportQuery = z.output<z.ZodObject<typeof exportQuery>>;

/** Limits how many parts and files a user takes out or asks for: 600,000 rows of parts in ten minutes. */
export const exportLimits = [
  {
    name: 'export',
    tokens: 60,
    perMs: 10 * 60_000,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** When a file that the service prepares is refused, for the API document. */
export const tooManyExports = '5 of your exports are waiting or being made.';
