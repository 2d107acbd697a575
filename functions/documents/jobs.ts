import { jobType } from '../jobs/job.ts';
import { Sharing } from '../notifications/sharing.ts';

/** Tells users that a document was shared with them. */
export const documentShared = jobType('document-shared', Sharing);
