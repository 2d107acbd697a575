import * as z from 'zod';
import { jobType } from '../jobs/job.ts';

/** Tells users that a document was shared with them. */
export const documentShared = jobType(
  'document-shared',
  z.object({
    id: z.int(),
    userIds: z.array(z.int()),
    sharedBy: z.int(),
    sharedAt: z.iso.datetime(),
  }),
);
