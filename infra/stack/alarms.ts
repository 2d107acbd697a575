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
  /** The alarm is raised at this value. */
  readonly threshold: number;
  readonly means: string;
  /** For how many five minutes in a row; once is enough unless it says otherwise. */
  readonly times?: number;
}

/** Those metrics of a table that have no other dimension, summed. */
const tableSum = (tableName: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic: 'sum',
    period: fiveMinutes,
  });

/**
 * What is worth waking somebody for. Each metric of an alarm is paid for, ten are free. The errors of functions have
 * no alarm: a failed call is a 5xx of its API or makes a job wait and die, and a sum over functions takes ten at most.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
 */
const rulesFor = ({
  apis,
  tableName,
  jobs,
}: MonitoredResources): Readonly<Record<string, Rule>> => ({
  'service-5xx': {
    metric: apis.service.metricServerError({ statistic: 'sum', period: fiveMinutes }),
    threshold: 5,
    means: 'The service failed five requests within five minutes',
  },
  'snippets-5xx': {
    metric: apis.snippets.metricServerError({ statistic: 'sum', period: fiveMinutes }),
    threshold: 5,
    means: 'The host of snippets failed five requests within five minutes',
  },
  'service-latency': {
    metric: apis.service.metricLatency({ statistic: 'p99', period: fiveMinutes }),
    threshold: 5_000,
    times: 3,
    means: 'One in a hundred requests to the service has taken over 5 s for a quarter of an hour',
  },
  'snippets-latency': {
    metric: apis.snippets.metricLatency({ statistic: 'p99', period: fiveMinutes }),
    threshold: 5_000,
    times: 3,
    means: 'One in a hundred snippets has taken over 5 s for a quarter of an hour',
  },
  'functions-throttled': {
    // Of all functions in the account, because they share its concurrency: whoever takes it, ours are refused.
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      statistic: 'sum',
      period: fiveMinutes,
    }),
    threshold: 1,
    means: "Functions were refused: the account's concurrency is used up",
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
    means: 'The table refused reads or writes',
  },
  'jobs-dead': {
    metric: jobs.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: 'max',
      period: fiveMinutes,
    }),
    threshold: 1,
    means: 'A job failed five times and lies in the dead-letter queue',
  },
  'jobs-late': {
    metric: jobs.queue.metricApproximateAgeOfOldestMessage({
      statistic: 'max',
      period: fiveMinutes,
    }),
    threshold: Duration.minutes(15).toSeconds(),
    means: 'A job has waited for a quarter of an hour',
  },
});

/** The alarms of a stage; they tell the e-mail address, if there is one. */
export class Alarms extends Construct {
  constructor(
    scope: Construct,
    id: string,
    watched: MonitoredResources,
    email: string | undefined,
  ) {
    super(scope, id);
    const topic = email === undefined ? undefined : this.#topicFor(email);
    for (const [name, { metric, threshold, means, times = 1 }] of Object.entries(
      rulesFor(watched),
    )) {
      const alarm = new Alarm(this, name, {
        alarmName: `handbill-${watched.stage}-${name}`,
        alarmDescription: `${means}.`,
        metric,
        threshold,
        evaluationPeriods: times,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (topic) {
        alarm.addAlarmAction(new SnsAction(topic));
        alarm.addOkAction(new SnsAction(topic));
      }
    }
  }

  #topicFor(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    // A policy of the topic's own takes the place of the one that lets the account's alarms publish.
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
