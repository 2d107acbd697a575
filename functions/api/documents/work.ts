import { createWorker } from '../../../shared/jobs/job-type.ts';
import { documentShared } from './jobs.ts';
import { notifyReaders } from './notify.ts';

export const work = [createWorker(documentShared, notifyReaders)];
