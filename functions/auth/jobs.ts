import * as z from 'zod';
import { jobType } from '../jobs/job.ts';

export const resetMail = jobType('reset-mail', z.object({ email: z.string() }), { once: true });
