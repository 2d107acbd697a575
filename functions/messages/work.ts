import { worker } from '../jobs/job.ts';
import { deliver } from './delivery.ts';
import { deliverMessage } from './jobs.ts';

export const work = [worker(deliverMessage, deliver)];
