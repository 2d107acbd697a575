import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Host } from '../../shared/http/host.ts';
import type { MonitoredResources } from './watched.ts';

const period = Duration.minutes(5);
const sum = (label: string): MetricOptions => ({ statistic: 'sum', period, label });

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({
    title,
    left,
    right,
    width: 12,
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
  });

const ofTable = (tableName: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    ...sum(metricName),
  });

/** One page for a stage: requests, failures and times of the APIs and functions, the table's use, the queue. */
export class StageDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    { stage, apis, functions, tableName, jobs }: MonitoredResources,
  ) {
    super(scope, id, { dashboardName: `handbill-${stage}`, defaultInterval: Duration.days(1) });
    for (const host of Object.keys(apis) as Host[]) {
      const api = apis[host];
      const latency = (statistic: string) =>
        api.metricLatency({ statistic, period, label: `${statistic} ms` });
      this.addWidgets(
        graph(
          `${host}: requests, and those that failed`,
          [api.metricCount(sum('requests'))],
          [api.metricClientError(sum('4xx')), api.metricServerError(sum('5xx'))],
        ),
        graph(`${host}: latency`, [latency('p50'), latency('p99')]),
      );
    }
    const each = Object.entries(functions);
    this.addWidgets(
      graph(
        'functions: errors',
        each.map(([name, one]) => one.metricErrors(sum(name))),
      ),
      graph(
        'functions: duration, p95 in ms',
        each.map(([name, one]) => one.metricDuration({ statistic: 'p95', period, label: name })),
      ),
      graph('table: capacity used', [
        ofTable(tableName, 'ConsumedReadCapacityUnits'),
        ofTable(tableName, 'ConsumedWriteCapacityUnits'),
      ]),
      graph('table: throttled', [
        ofTable(tableName, 'ReadThrottleEvents'),
        ofTable(tableName, 'WriteThrottleEvents'),
      ]),
      graph(
        'jobs: waiting, and dead',
        [jobs.queue.metricApproximateNumberOfMessagesVisible({ period, label: 'waiting' })],
        [jobs.deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: 'dead' })],
      ),
      graph('jobs: age of the oldest, in s', [
        jobs.queue.metricApproximateAgeOfOldestMessage({ period, label: 'age' }),
      ]),
    );
  }
}
