import { createWorker } from '../../../shared/jobs/job-type.ts';
import { deliver } from './delivery.ts';
import { deliverMessage } from './record/jobs.ts';

export const work = [createWorker(deliverMessage, deliver)];
