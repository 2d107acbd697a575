import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';

const ShareId = z.object({ id: z.string() });

/** Deletes the content of an ended share. */
export const purgeShareJob = defineJob('purge-share', ShareId);

/** Deletes the revisions of a deleted share. */
export const deleteRevisionsJob = defineJob('delete-revisions', ShareId);

/** Deletes the receipts of a deleted share. */
export const deleteReceiptsJob = defineJob('delete-receipts', ShareId);

/** Notifies the owner of the first view of a share. */
export const shareOpenedJob = defineJob('share-opened', ShareId);

/** Notifies moderators of a reported share. */
export const shareReportedJob = defineJob('share-reported', ShareId);
