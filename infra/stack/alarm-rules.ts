import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { schema } from '../../shared/db/key.ts';
import { type JobQueue, jobQueues } from '../../shared/jobs/job-queue.ts';
import type { MonitoredResources } from './watched.ts';

const fiveMinutes = Duration.minutes(5);

/** When an alarm goes off. */
export interface AlarmRule {
  readonly metric: IMetric;
  /** The alarm goes off at this value. */
  readonly threshold: number;
  readonly description: string;
  /** The number of consecutive periods, of five minutes unless the metric says otherwise; 1 by default. */
  readonly periods?: number;
  /** Goes off below the threshold, and without data. */
  readonly isHeartbeat?: true;
}

type Rules = Readonly<Record<string, AlarmRule>>;

/** Sums a metric of the service's own. */
const ownSum = (stage: string, metricName: string): Metric =>
  new Metric({
    namespace: 'Handbill',
    metricName,
    dimensionsMap: { service: 'handbill', stage },
    statistic: 'sum',
    period: fiveMinutes,
  });

const hostRules = ({ apis }: MonitoredResources): Rules =>
  Object.fromEntries(
    (['service', 'snippets'] as const).flatMap((host): [string, AlarmRule][] => [
      [
        `${host}-5xx`,
        {
          metric: apis[host].metricServerError({ statistic: 'sum', period: fiveMinutes }),
          threshold: 5,
          description: `At least five 5xx responses of ${host} in five minutes`,
        },
      ],
      [
        `${host}-latency`,
        {
          metric: apis[host].metricLatency({ statistic: 'p99', period: fiveMinutes }),
          threshold: 5_000,
          periods: 3,
          description: `p99 latency of ${host} is above 5 s for 15 minutes`,
        },
      ],
      [
        `${host}-throttled`,
        {
          metric: apis[host].throttled,
          threshold: 10,
          description: `At least ten requests to ${host} above throttleRate or throttleBurst in five minutes`,
        },
      ],
    ]),
  );

/** The reasons for which DynamoDB throttles requests that this service can run into. */
const throttleMetrics = ['ThrottleEvents', 'KeyRangeThroughputThrottleEvents'] as const;

/** Sums what is throttled of the table and its index, or of single partitions of them. */
const throttled = (tableName: string, kind: (typeof throttleMetrics)[number]): IMetric => {
  const metric = (metricName: string, index?: string): Metric =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: {
        TableName: tableName,
        ...(index !== undefined && { GlobalSecondaryIndexName: index }),
      },
      statistic: 'sum',
      period: fiveMinutes,
    });
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: {
      reads: metric(`Read${kind}`),
      writes: metric(`Write${kind}`),
      indexReads: metric(`Read${kind}`, schema.index.name),
      indexWrites: metric(`Write${kind}`, schema.index.name),
    },
    period: fiveMinutes,
    label: 'throttled reads and writes',
  });
};

const resourceRules = ({ tableName }: MonitoredResources): Rules => ({
  'functions-throttled': {
    // All functions of the account, because they share its concurrency.
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      statistic: 'sum',
      period: fiveMinutes,
    }),
    threshold: 1,
    description: "Functions are throttled: the account's concurrency limit is reached",
  },
  'table-throttled': {
    metric: throttled(tableName, 'ThrottleEvents'),
    threshold: 10,
    description:
      'At least ten throttled reads or writes of the table and its index in five minutes',
  },
  'partition-throttled': {
    metric: throttled(tableName, 'KeyRangeThroughputThrottleEvents'),
    threshold: 10,
    description: 'At least ten reads or writes above the limit of one partition in five minutes',
  },
});

/** How long the oldest job of a queue may wait, in minutes: people wait for emails. */
const maxWaitMinutes: Readonly<Record<JobQueue, number>> = { mail: 5, activity: 15, work: 15 };

const jobRules = ({ stage, jobs }: MonitoredResources): Rules => ({
  ...Object.fromEntries(
    jobQueues.map((queue) => [
      `${queue}-delayed`,
      {
        metric: jobs.queues[queue].metricApproximateAgeOfOldestMessage({
          statistic: 'max',
          period: fiveMinutes,
        }),
        threshold: Duration.minutes(maxWaitMinutes[queue]).toSeconds(),
        description: `Jobs of the queue ${queue} have waited for over ${maxWaitMinutes[queue]} minutes`,
      },
    ]),
  ),
  'jobs-failed': {
    metric: ownSum(stage, 'JobsGivenUp'),
    threshold: 1,
    description: 'A job failed five times: /settings lists it and can try it again',
  },
  'jobs-dead-letter': {
    metric: jobs.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: 'max',
      period: fiveMinutes,
    }),
    threshold: 1,
    description: 'A job failed five times and could not be listed: it is in the dead-letter queue',
  },
  'jobs-lost': {
    metric: ownSum(stage, 'JobsLost'),
    threshold: 1,
    description: 'Neither a queue nor the table accepted a job',
  },
  'jobs-dropped': {
    metric: ownSum(stage, 'JobsDropped'),
    threshold: 50,
    description: 'At least 50 views or sign-ins in five minutes are missing in the figures',
  },
  'schedule-stopped': {
    metric: ownSum(stage, 'SweepsFinished'),
    threshold: 1,
    periods: 2,
    isHeartbeat: true,
    description: 'The scheduled run has not started or not finished for ten minutes',
  },
  'sweeps-failed': {
    metric: ownSum(stage, 'SweepsFailed'),
    threshold: 3,
    periods: 2,
    description: 'Scheduled work has failed at least three times in five minutes, for ten minutes',
  },
});

const otherRules = ({ stage }: MonitoredResources): Rules => ({
  'limiter-failed': {
    metric: ownSum(stage, 'RateLimiterFailures'),
    threshold: 5,
    description: 'At least five requests in five minutes whose rate limit could not be checked',
  },
  'mail-refused': {
    metric: ownSum(stage, 'EmailConfigErrors'),
    threshold: 1,
    description: 'SES sends no email: check the sender, the sandbox and the region',
  },
  'mail-bounced': {
    // Of the whole account, because that is what SES judges: it reviews the account at this rate.
    metric: new Metric({
      namespace: 'AWS/SES',
      metricName: 'Reputation.BounceRate',
      statistic: 'max',
      period: Duration.hours(1),
    }),
    threshold: 0.05,
    description: 'Of the latest emails of the account 5 % bounced. SES pauses it at 10 %',
  },
});

/**
 * Returns the alarms of a stage by name. Function errors need none: a failed invocation is a 5xx of its API, or delays a job
 * until it is in the dead-letter queue.
 */
export const createAlarmRules = (watched: MonitoredResources): Rules => ({
  ...hostRules(watched),
  ...resourceRules(watched),
  ...jobRules(watched),
  ...otherRules(watched),
});
