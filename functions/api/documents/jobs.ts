import { jobType } from '../../../shared/jobs/job-type.ts';
import { Sharing } from '../../../shared/notifications/sharing.ts';

/** Tells users that a document was shared with them. */
export const documentShared = jobType('document-shared', Sharing);
