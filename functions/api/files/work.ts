import { worker } from '../../../shared/jobs/job-type.ts';
import { notifyReaders } from './notify.ts';
import { completeUpload, fileShared } from './record/jobs.ts';
import { completeLater } from './uploads/direct-upload.ts';

export const work = [worker(completeUpload, completeLater), worker(fileShared, notifyReaders)];
