import { getSetting, type SettingName } from '../runtime/settings.ts';

/** The setting with the URL of each queue. Jobs of one queue never wait behind those of another (decisions.md#jobs). */
export const queueUrlSettings = {
  /** Emails, which people wait for. */
  mail: 'MAIL_QUEUE_URL',
  /** Views and other activity, of which there is the most. */
  activity: 'ACTIVITY_QUEUE_URL',
  /** All other jobs. */
  work: 'JOBS_QUEUE_URL',
  /** Webhooks, which wait for hosts of others. It can be one of the others (decisions.md#webhooks). */
  hooks: 'HOOKS_QUEUE_URL',
} as const satisfies Readonly<Record<string, SettingName>>;

/** A queue of jobs. */
export type JobQueue = keyof typeof queueUrlSettings;

export const jobQueues = Object.keys(queueUrlSettings) as readonly JobQueue[];

/** How often a job is delivered at most. */
export const maxDeliveries = 5;

/** Returns the URL of a queue. */
export const getQueueUrl = (queue: JobQueue): string => getSetting(queueUrlSettings[queue]);
