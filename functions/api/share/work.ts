import { createWorker } from '../../../shared/jobs/job-type.ts';
import { purgeEndedShare } from './ending/expiry.ts';
import { notifyModerators, notifyOfFirstView } from './ending/notify.ts';
import { deleteReceipts } from './reading/receipts.ts';
import { reconcileReaders } from './received/reconcile.ts';
import {
  deleteReceiptsJob,
  deleteRevisionsJob,
  purgeShareJob,
  shareOpenedJob,
  shareReadersJob,
  shareReportedJob,
} from './record/jobs.ts';
import { deleteRevisions } from './record/revisions.ts';

export const work = [
  createWorker(purgeShareJob, ({ id }) => purgeEndedShare(id)),
  createWorker(deleteRevisionsJob, ({ id }) => deleteRevisions(id)),
  createWorker(deleteReceiptsJob, ({ id }) => deleteReceipts(id)),
  createWorker(shareOpenedJob, ({ id }) => notifyOfFirstView(id)),
  createWorker(shareReadersJob, reconcileReaders),
  createWorker(shareReportedJob, ({ id }) => notifyModerators(id)),
];
