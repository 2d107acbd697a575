import { createWorker } from '../../../shared/jobs/job-type.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { createReaderNotifier } from '../../../shared/records/notify.ts';
import { isReady } from './record/file.ts';
import { completeUpload, fileShared } from './record/jobs.ts';
import { sharedFiles } from './sharing.ts';
import { completeInBackground } from './uploads/direct-upload.ts';

/** Notifies users that a file was shared with them, if it still is. */
export const notifyReaders = createReaderNotifier(
  sharedFiles,
  isReady,
  notificationTemplates.fileShared,
);

export const work = [
  createWorker(completeUpload, completeInBackground),
  createWorker(fileShared, notifyReaders),
];
