import { worker } from '../../../shared/jobs/job-type.ts';
import { notifyReaders } from './notify.ts';
import { completeLater } from './uploads/direct-upload.ts';
import { completeUpload, fileShared } from './uploads/jobs.ts';

export const work = [worker(completeUpload, completeLater), worker(fileShared, notifyReaders)];
