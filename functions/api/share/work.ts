import { createWorker } from '../../../shared/jobs/job-type.ts';
import { createLongWorker } from '../../../shared/jobs/long-worker.ts';
import { linkCodeEmail, linkEmail, linkRefusedJob } from './codes/jobs.ts';
import { purgeEndedShare } from './ending/expiry.ts';
import { notifyModerators, notifyOfFirstView, notifyOfSubmission } from './ending/notify.ts';
import { pruneFiles } from './files/prune.ts';
import { notifyOfReport } from './intake/notify.ts';
import { deleteReceipts } from './reading/receipts.ts';
import { reconcileReaders } from './received/reconcile.ts';
import {
  deleteReceiptsJob,
  deleteRevisionsJob,
  pruneShareFilesJob,
  purgeShareJob,
  requestReportedJob,
  shareOpenedJob,
  shareReadersJob,
  shareReportedJob,
  shareSubmittedJob,
  trimRevisionsJob,
} from './record/jobs.ts';
import { deleteRevisions, trimRevisions } from './record/revisions.ts';

export const work = [
  createWorker(purgeShareJob, ({ id }) => purgeEndedShare(id)),
  createLongWorker(deleteRevisionsJob, ({ id }, bound) => deleteRevisions(id, bound)),
  createLongWorker(trimRevisionsJob, ({ id }, bound) => trimRevisions(id, bound)),
  createWorker(deleteReceiptsJob, ({ id }) => deleteReceipts(id)),
  createWorker(pruneShareFilesJob, ({ id, ...options }) => pruneFiles(id, options)),
  createWorker(shareOpenedJob, ({ id }) => notifyOfFirstView(id)),
  createWorker(shareReadersJob, reconcileReaders),
  createWorker(shareSubmittedJob, ({ id }) => notifyOfSubmission(id)),
  createWorker(requestReportedJob, ({ id }) => notifyOfReport(id)),
  createWorker(linkEmail, async (data) =>
    (await import('./links/link-email.ts')).sendLinkEmail(data),
  ),
  createWorker(linkCodeEmail, async (data) =>
    (await import('./codes/code-email.ts')).sendCodeEmail(data),
  ),
  createWorker(linkRefusedJob, async (data) =>
    (await import('./links/bounces.ts')).markBounced(data),
  ),
  createWorker(shareReportedJob, ({ id }) => notifyModerators(id)),
];
