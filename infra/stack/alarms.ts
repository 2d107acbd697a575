import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { MonitoredResources } from './watched.ts';

const fiveMinutes = Duration.minutes(5);

interface Rule {
  readonly metric: IMetric;
  /** The alarm goes off at this value. */
  readonly threshold: number;
  readonly description: string;
  /** The number of consecutive five-minute periods, 1 by default. */
  readonly periods?: number;
}

/** Sums a metric of the table that has no other dimension. */
const tableSum = (tableName: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic: 'sum',
    period: fiveMinutes,
  });

/**
 * Returns the alarms by name. They are few because CloudWatch charges for each alarm metric after ten. Function errors need
 * no alarm: a failed invocation is a 5xx of its API, or delays a job until it is in the dead-letter queue.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
 */
const createRules = ({
  apis,
  tableName,
  jobs,
}: MonitoredResources): Readonly<Record<string, Rule>> => ({
  'service-5xx': {
    metric: apis.service.metricServerError({ statistic: 'sum', period: fiveMinutes }),
    threshold: 5,
    description: 'Service: at least five 5xx responses in five minutes',
  },
  'snippets-5xx': {
    metric: apis.snippets.metricServerError({ statistic: 'sum', period: fiveMinutes }),
    threshold: 5,
    description: 'Snippets: at least five 5xx responses in five minutes',
  },
  'service-latency': {
    metric: apis.service.metricLatency({ statistic: 'p99', period: fiveMinutes }),
    threshold: 5_000,
    periods: 3,
    description: 'Service: p99 latency is above 5 s for 15 minutes',
  },
  'snippets-latency': {
    metric: apis.snippets.metricLatency({ statistic: 'p99', period: fiveMinutes }),
    threshold: 5_000,
    periods: 3,
    description: 'Snippets: p99 latency is above 5 s for 15 minutes',
  },
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
    metric: new MathExpression({
      expression: 'reads + writes',
      usingMetrics: {
        reads: tableSum(tableName, 'ReadThrottleEvents'),
        writes: tableSum(tableName, 'WriteThrottleEvents'),
      },
      period: fiveMinutes,
      label: 'throttled reads and writes',
    }),
    threshold: 10,
    description: 'At least ten throttled reads or writes of the table in five minutes',
  },
  'jobs-dead-letter': {
    metric: jobs.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: 'max',
      period: fiveMinutes,
    }),
    threshold: 1,
    description: 'A job failed five times and is in the dead-letter queue',
  },
  'jobs-delayed': {
    metric: jobs.queue.metricApproximateAgeOfOldestMessage({
      statistic: 'max',
      period: fiveMinutes,
    }),
    threshold: Duration.minutes(15).toSeconds(),
    description: 'Jobs have been queued for over 15 minutes',
  },
});

/** The alarms of a stage. They notify the email address, if there is one. */
export class Alarms extends Construct {
  constructor(
    scope: Construct,
    id: string,
    watched: MonitoredResources,
    email: string | undefined,
  ) {
    super(scope, id);
    const topic = email === undefined ? undefined : this.#createTopic(email);
    const rules = Object.entries(createRules(watched));
    for (const [name, { metric, threshold, description, periods = 1 }] of rules) {
      const alarm = new Alarm(this, name, {
        alarmName: `handbill-${watched.stage}-${name}`,
        alarmDescription: `${description}.`,
        metric,
        threshold,
        evaluationPeriods: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (topic) {
        alarm.addAlarmAction(new SnsAction(topic));
        alarm.addOkAction(new SnsAction(topic));
      }
    }
  }

  #createTopic(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    // The explicit policy replaces the default, which lets the account's alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    return topic;
  }
}
