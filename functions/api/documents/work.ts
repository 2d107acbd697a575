import { createWorker } from '../../../shared/jobs/job-type.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { createReaderNotifier } from '../../../shared/records/notify.ts';
import { documentShared } from './jobs.ts';
import { sharedDocuments } from './sharing.ts';

/** Notifies users that a document was shared with them, if it still is. */
export const notifyReaders = createReaderNotifier(
  sharedDocuments,
  ({ deletedAt }) => deletedAt === undefined,
  notificationTemplates.documentShared,
);

export const work = [createWorker(documentShared, notifyReaders)];
