import * as z from 'zod';
import { transact } from '../../../shared/db/transaction.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import {
  type FailedJob,
  findFailedJob,
  listFailedJobs,
  retrySteps,
} from '../../../shared/jobs/failed-jobs.ts';
import { jobQueues } from '../../../shared/jobs/job-queue.ts';

const example = {
  id: '1795262400000-5b1c9f5e-6f3a-4f0e-8c4e-3f6f2f0f6a10',
  kind: 'password-reset-email',
  queue: 'mail' as const,
  failedAt: '2026-11-21T12:00:00.000Z',
  error: 'MailSetupError',
};

/** A job that failed five times, without its data, which may be personal. */
const FailedJobSummary = z
  .object({
    id: z.string().meta({ description: 'Begins with the time of the failure.' }),
    kind: z.string().meta({ description: 'The type of the job.' }),
    queue: z.enum(jobQueues).meta({ description: 'The queue of the job.' }),
    failedAt: z.iso.datetime().meta({ description: 'When its last attempt failed.' }),
    error: z
      .string()
      .meta({ description: 'The name of the last error. The log has more: `Job failed`.' }),
  })
  .meta({ id: 'FailedJob', examples: [example] });

const toSummary = ({ id, kind, queue, failedAt, error }: FailedJob) => ({
  id,
  kind,
  queue,
  failedAt,
  error,
});

/** Jobs that failed for the last time (decisions.md#jobs). */
export const failedJobRoutes = [
  route({
    endpoint: 'GET /api/settings/failed-jobs',
    access: 'jobs:manage',
    summary: 'List failed jobs',
    description:
      'Lists the background jobs that were given up after five attempts, the newest 100 first. They are kept for 30 days.',
    output: Success(z.array(FailedJobSummary)),
    handle: async () => success((await listFailedJobs()).map(toSummary)),
  }),
  route({
    endpoint: 'POST /api/settings/failed-jobs/{id}/retry',
    access: 'jobs:manage',
    summary: 'Retry a failed job',
    description: 'Enqueues the job again. It runs within a minute, up to five times.',
    params: z.object({ id: z.string().regex(/^\d{13}-[\w-]{1,64}$/) }),
    output: Success(z.object({ id: z.string() })).meta({
      id: 'RetriedJob',
      examples: [success({ id: example.id }, 'Enqueued')],
    }),
    errors: { NOT_FOUND: 'The job doesn’t exist, or is enqueued already.' },
    auditAction: 'job.retry',
    handle: async ({ params: { id }, recorder }) => {
      const job = await findFailedJob(id);
      const subject = { subject: `job:${id}`, subjectName: job.kind };
      await transact([...retrySteps(job), ...recorder.steps(subject)]);
      return success({ id }, 'Enqueued');
    },
  }),
];
