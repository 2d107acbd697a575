import { randomUUID } from 'node:crypto';
import { deleteRevisionsJob } from '../../../functions/api/share/record/jobs.ts';
import { listFailedJobs, saveFailedJob } from '../../../shared/jobs/failed-jobs.ts';

/** Stores a job that was given up, and returns its id. It would do nothing. */
export const newFailedJob = async (error = 'TypeError'): Promise<string> => {
  const message = { id: randomUUID(), kind: deleteRevisionsJob.name, data: { id: 'gone' } };
  await saveFailedJob('work', message, error);
  const stored = (await listFailedJobs()).find(({ id }) => id.endsWith(message.id));
  return stored?.id ?? '';
};
