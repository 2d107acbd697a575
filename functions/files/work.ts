import { worker } from '../jobs/job.ts';
import { completeLater } from './direct.ts';
import { completeUpload } from './jobs.ts';

export const work = [worker(completeUpload, completeLater)];
