import { worker } from '../../shared/jobs/job-type.ts';
import { completeLater } from './direct.ts';
import { completeUpload, fileShared } from './jobs.ts';
import { notifyReaders } from './notices.ts';

export const work = [worker(completeUpload, completeLater), worker(fileShared, notifyReaders)];
