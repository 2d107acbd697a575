import { createWorker } from '../../../shared/jobs/job-type.ts';
import { createLongWorker } from '../../../shared/jobs/long-worker.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { createReaderNotifier } from '../../../shared/records/notify.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { eventWrite } from '../../../shared/webhooks/event-write.ts';
import {
  deleteRevisionsJob,
  documentShared,
  forgetWriterJob,
  trimRevisionsJob,
} from './record/jobs.ts';
import { deleteRevisions, forgetWriter, trimRevisions } from './revisions.ts';
import { sharedDocuments } from './sharing.ts';

/** Notifies users that a document was shared with them, if it still is. */
export const notifyReaders = createReaderNotifier(
  sharedDocuments,
  ({ deletedAt }) => deletedAt === undefined,
  notificationTemplates.documentShared,
  (reader, { id }, { sharedBy, sharedAt }) =>
    eventWrite(
      reader,
      'document.shared',
      () => ({
        document: { id, url: `${getSetting('PUBLIC_URL')}/documents/${id}` },
        by: sharedBy,
      }),
      // One sharing with several readers is an event for each.
      { happening: `document.shared#${id}#${sharedAt}#${reader.id}`, at: sharedAt },
    ),
);

export const work = [
  createWorker(documentShared, notifyReaders),
  createLongWorker(deleteRevisionsJob, ({ id }, bound) => deleteRevisions(id, bound)),
  createLongWorker(trimRevisionsJob, ({ id }, bound) => trimRevisions(id, bound)),
  createLongWorker(forgetWriterJob, ({ id, userId }, bound) => forgetWriter(id, userId, bound)),
];
