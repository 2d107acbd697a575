import * as z from 'zod';
import { defineJob } from '../../../shared/jobs/job-type.ts';

export const walks = ['shares', 'users'] as const;

/** Goes on with a walk that deletes what is kept no longer. */
export const retentionJob = defineJob('retention', z.object({ walk: z.enum(walks) }));
