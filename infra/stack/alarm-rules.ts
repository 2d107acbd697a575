import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { JobQueue } from '../../shared/jobs/job-queue.ts';
import { type accessMetrics, getAccessMetricName } from './access-log.ts';
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
  /** Goes off below the threshold, and is silent without data: its metric fills what is missing. */
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
    ]),
  );

/** Sums what the access logs of both APIs count. */
const logged = (name: keyof typeof accessMetrics, stage: string): Metric =>
  new Metric({
    namespace: 'Handbill',
    metricName: getAccessMetricName(name, stage),
    statistic: 'sum',
    period: fiveMinutes,
  });

const limitRules = ({ stage }: MonitoredResources): Rules => ({
  'gateway-throttled': {
    metric: logged('GatewayThrottled', stage),
    threshold: 10,
    description: 'At least ten requests above throttleRate or throttleBurst in five minutes',
  },
  'functions-throttled': {
    metric: logged('FunctionsThrottled', stage),
    threshold: 1,
    description:
      "Requests found no free execution: the account's concurrency limit is reached. They got 503",
  },
  'table-throttled': {
    // Not DynamoDB's own metrics: four for an alarm, two of which count what a retry has healed, and an alarm on them
    // doesn't end, because it ignores missing data. https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
    metric: ownSum(stage, 'TableThrottled'),
    threshold: 5,
    description: 'At least five requests in five minutes that the table throttled. They got 503',
  },
});

/** How long the oldest job of a queue may wait, in minutes: people wait for emails. */
const maxWaitMinutes: Readonly<Record<JobQueue, number>> = {
  mail: 5,
  activity: 15,
  work: 15,
  hooks: 15,
};

const jobRules = ({ stage, jobs }: MonitoredResources): Rules => ({
  ...Object.fromEntries(
    jobs.connected.map((queue) => [
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
    // Before the first run there is nothing to fill: the alarm waits for it instead of going off.
    metric: new MathExpression({
      expression: 'FILL(finished, 0)',
      usingMetrics: { finished: ownSum(stage, 'SweepsFinished') },
      period: fiveMinutes,
      label: 'finished runs',
    }),
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

const limiterRules = ({ stage }: MonitoredResources): Rules => ({
  'limiter-failed': {
    metric: ownSum(stage, 'RateLimiterFailures'),
    threshold: 5,
    description: 'At least five requests in five minutes whose rate limit could not be checked',
  },
});

const mailRules = ({ stage }: MonitoredResources): Rules => ({
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
 * Returns the alarms of a stage by name, those of email only where it sends any. Each costs by its metrics, so none has two,
 * and a composite alarm would cost as much as five more (decisions.md#costs). Function errors need none: a failed
 * invocation is a 5xx of its API, or delays a job until it is in the dead-letter queue.
 */
export const createAlarmRules = (watched: MonitoredResources): Rules => ({
  ...hostRules(watched),
  ...limitRules(watched),
  ...jobRules(watched),
  ...limiterRules(watched),
  ...(watched.jobs.connected.includes('mail') && mailRules(watched)),
});
