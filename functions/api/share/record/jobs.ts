import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';

const ShareId = z.object({ id: z.string() });

/** Deletes the content of an ended share. */
export const purgeShareJob = defineJob('purge-share', ShareId);

/** Deletes the revisions of a deleted share. */
export const deleteRevisionsJob = defineJob('delete-revisions', ShareId);

/** Deletes the revisions of a share that exceed the limits. */
export const trimRevisionsJob = defineJob('trim-revisions', ShareId);

/** Deletes the objects of files that a share, which may be gone, doesn’t have. */
export const pruneShareFilesJob = defineJob(
  'prune-share-files',
  z.object({ id: z.string(), isGone: z.boolean() }),
);

/** Deletes the receipts of a deleted share. */
export const deleteReceiptsJob = defineJob('delete-receipts', ShareId);

/** Notifies the owner of the first view of a share. */
export const shareOpenedJob = defineJob('share-opened', ShareId);

/** Notifies the owner of a share that someone handed in. */
export const shareSubmittedJob = defineJob('share-submitted', ShareId);

/** Notifies moderators of a reported share request. */
export const requestReportedJob = defineJob('share-request-reported', z.object({ id: z.string() }));
/** Notifies moderators of a reported share. */
export const shareReportedJob = defineJob('share-reported', ShareId);

/**
 * Brings the lists of readers in line with a share, and notifies those whom it names since `at`. `removed` may still have
 * an entry.
 */
export const shareReadersJob = defineJob(
  'share-readers',
  z.object({
    id: z.string(),
    added: z.array(z.int()),
    removed: z.array(z.int()),
    at: z.iso.datetime(),
  }),
);
