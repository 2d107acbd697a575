import * as z from 'zod';
import { jobType } from '../../../../shared/jobs/job-type.ts';
import { Sharing } from '../../../../shared/notifications/sharing.ts';

/** Goes on with an upload whose copy within S3 takes longer than a request waits. */
export const completeUpload = jobType(
  'complete-upload',
  z.object({ id: z.int(), copyTo: z.string().optional() }),
);

/** Tells users that a file was shared with them. */
export const fileShared = jobType('file-shared', Sharing);
