import * as z from 'zod';

const versionRule = 'must be the version of a revision';

/** The version of a revision, in a path or query. An impossible one in a path results in 404. */
export const RevisionVersion = z.coerce
  .number(versionRule)
  .int(versionRule)
  .min(1, versionRule)
  .max(Number.MAX_SAFE_INTEGER, versionRule);

/** What a request names to compare a revision with. */
export const comparedWith = {
  to: RevisionVersion.optional().meta({
    description: 'The version of the other revision; by default, the current content.',
  }),
} as const;

const lineEnds = (description: string) =>
  z.enum(['LF', 'CRLF', 'CR', 'mixed']).meta({ description });

/** What a response says of the differences of two texts. */
export const diffFields = {
  from: z.int(),
  to: z.int().nullable().meta({ description: '`null` is the current content.' }),
  diff: z.string().meta({
    description:
      'In the unified format, with three lines of context. Empty without a difference, or if only line endings differ.',
  }),
  lineEnds: z
    .object({
      from: lineEnds('Those of the revision.'),
      to: lineEnds('Those of the other content.'),
    })
    .optional()
    .meta({
      description:
        'How the lines end, if that changed: then `diff` compares what is before their ends.',
    }),
  isCut: z.boolean().meta({ description: 'Whether the diff exceeds 1 MB, so its end is missing.' }),
} as const;

/** A response about two texts that differ in one line. */
export const exampleDiff = {
  from: 3,
  to: null,
  diff: '--- revision 3\n+++ current\n@@ -1,1 +1,1 @@\n-# Hi\n+# Hello\n',
  isCut: false,
} as const;
