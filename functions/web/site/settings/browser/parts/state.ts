import { signal } from '@preact/signals';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may } from '../../../../browser/shell/session.ts';
import { settingsTexts as texts } from '../../texts.ts';

export type Configuration = Data<'GET /api/settings'>;
export type FailedJob = Data<'GET /api/settings/failed-jobs'>[number];
export type Health = Data<'GET /api/settings/health'>;

export const settings = createSource<Configuration>(() => api.call('GET /api/settings'));
export const health = createSource<Health>(() => api.call('GET /api/settings/health'));

/** The jobs that were given up, the newest first. */
export const failedJobs = createSource<readonly FailedJob[]>(() =>
  api.call('GET /api/settings/failed-jobs'),
);

/** The ids of the jobs that are being enqueued again. */
export const retrying = signal<ReadonlySet<string>>(new Set());

/** Enqueues a job again, and takes it off the list. */
export const retry = async (job: FailedJob): Promise<void> => {
  const { id, kind } = job;
  if (retrying.value.has(id)) return;
  retrying.value = new Set([...retrying.value, id]);
  try {
    await api.call('POST /api/settings/failed-jobs/{id}/retry', { params: { id } });
    failedJobs.data.value = failedJobs.data.value?.filter((one) => one.id !== id);
    toast({ text: texts.retried(kind) });
  } catch (error) {
    showFailure((error as Error).message, () => retry(job));
  } finally {
    retrying.value = new Set([...retrying.value].filter((one) => one !== id));
  }
};

export const isChecking = signal(false);
export const isSending = signal(false);

/** Checks the health again. */
export const checkAgain = async (): Promise<void> => {
  isChecking.value = true;
  await Promise.all([health.load(), ...(may('jobs:manage') ? [failedJobs.load()] : [])]);
  isChecking.value = false;
};

/** Sends an email to the user, and says how that went. */
export const sendTest = async (): Promise<void> => {
  if (isSending.value) return;
  isSending.value = true;
  try {
    const { sentTo } = await api.call('POST /api/settings/test-mail');
    toast({ text: texts.sentTest(sentTo) });
  } catch (error) {
    showFailure((error as Error).message, sendTest);
  } finally {
    isSending.value = false;
  }
};
