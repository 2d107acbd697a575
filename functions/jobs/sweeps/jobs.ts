import * as z from 'zod';
import { defineJob } from '../../../shared/jobs/job-type.ts';

/** Does the due work of a shard that is more than a slice. */
export const sweepJob = defineJob('sweep', z.object({ work: z.string(), shard: z.string() }));
