import { defineJob } from '../../../shared/jobs/job-type.ts';
import { Sharing } from '../../../shared/records/readers.ts';

/** Notifies users that a document was shared with them. */
export const documentShared = defineJob('document-shared', Sharing);
