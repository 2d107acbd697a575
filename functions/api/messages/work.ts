import { worker } from '../../../shared/jobs/job-type.ts';
import { deliver } from './delivery.ts';
import { deliverMessage } from './jobs.ts';

export const work = [worker(deliverMessage, deliver)];
