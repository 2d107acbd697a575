import * as z from 'zod';
import { isBlank, multiLine } from '../../../shared/input/fields.ts';

/** A share's id in a path. An impossible id results in 404. */
export const ShareId = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

/** The id of a recipient link, in a query or form. */
export const LinkId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of a link');

/** The reason of a report. */
export const ReportReason = multiLine(1_000)
  .min(3)
  .refine((text) => !isBlank(text), 'must contain a visible character');
