import * as z from 'zod';
import { isBlank, multiLine } from '../../../../shared/input/fields.ts';
import { RevisionVersion } from '../../../../shared/revisions/fields.ts';

/** A share's id in a path. An impossible id results in 404. */
export const ShareId = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

/** A revision in a path. */
export const RevisionId = z.object({
  ...ShareId.shape,
  version: RevisionVersion.meta({ description: 'The version of the revision.' }),
});

/** The id of a recipient link in a path. An impossible id results in 404. */
export const LinkId = z.string().regex(/^[\w-]{1,64}$/);

/** A password that a request sets. */
export const SharePassword = z
  .string()
  .regex(/^[A-Za-z0-9]{6}$/, 'must have exactly 6 letters or digits');

/** The reason of a report. */
export const ReportReason = multiLine(1_000)
  .min(3)
  .refine((text) => !isBlank(text), 'must contain a visible character');
