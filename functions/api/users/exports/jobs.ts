import * as z from 'zod';
import { defineEmail } from '../../../../shared/jobs/job-type.ts';

/** Emails a user that an export is ready, or why it failed. */
export const exportEmail = defineEmail('export-email', z.object({ userId: z.int(), id: z.int() }));
