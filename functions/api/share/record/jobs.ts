import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';

const ShareId = z.object({ id: z.string() });

/** Deletes the content of a share that has ended. */
export const shareEnd = defineJob('purge-share', ShareId);

/** Tells those who decide about shares that one was reported. */
export const shareReported = defineJob('share-reported', ShareId);
