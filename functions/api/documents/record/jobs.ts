import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';
import { Sharing } from '../../../../shared/records/readers.ts';

/** Notifies users that a document was shared with them. */
export const documentShared = defineJob('document-shared', Sharing);

/** Deletes the revisions of a deleted document. */
export const deleteRevisionsJob = defineJob('delete-document-revisions', z.object({ id: z.int() }));

/** Deletes the revisions of a document that exceed the limits. */
export const trimRevisionsJob = defineJob('trim-document-revisions', z.object({ id: z.int() }));

/** Removes a removed user from the revisions of a document. */
export const forgetWriterJob = defineJob(
  'forget-document-writer',
  z.object({ id: z.int(), userId: z.int() }),
);
