import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';
import { Sharing } from '../../../../shared/records/readers.ts';

/** Completes an upload if its copy within S3 takes longer than a request waits. */
export const completeUpload = defineJob(
  'complete-upload',
  z.object({ id: z.int(), copyKey: z.string().optional() }),
);

/** Notifies users that a file was shared with them. */
export const fileShared = defineJob('file-shared', Sharing);
