import { createWorker } from '../../../shared/jobs/job-type.ts';
import { notifyReaders } from './notify.ts';
import { completeUpload, fileShared } from './record/jobs.ts';
import { completeInBackground } from './uploads/direct-upload.ts';

export const work = [
  createWorker(completeUpload, completeInBackground),
  createWorker(fileShared, notifyReaders),
];
