import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
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

const tableMetric = (tableName: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    ...sum(metricName),
  });

/**
 * The invocations of each function, by what Lambda reports of them. Metrics of each would be 50, and only a dashboard with
 * up to 50 metrics is free: https://aws.amazon.com/cloudwatch/pricing/
 */
const reportQuery = [
  "filter type = 'platform.report'",
  "stats count(*) as invocations, sum(record.status != 'success') as failed, pct(record.metrics.durationMs, 95) as p95Ms, count(record.metrics.initDurationMs) as coldStarts, pct(record.metrics.initDurationMs, 95) as coldStartMs, max(record.metrics.maxMemoryUsedMB) as usedMB, max(record.metrics.memorySizeMB) as ofMB by @log",
  'sort invocations desc',
];

/** The dashboard of a stage: requests, errors and latency of the APIs, its functions, table usage and queues. */
export class StageDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    { stage, apis, functions, tableName, jobs }: MonitoredResources,
  ) {
    super(scope, id, {
      // Dashboards belong to the account, not to a region.
      dashboardName: `handbill-${stage}-${Stack.of(scope).region}`,
      defaultInterval: Duration.days(1),
    });
    const queues = [...jobs.distinct];
    for (const host of Object.keys(apis) as Host[]) {
      const api = apis[host];
      const latency = (statistic: string) =>
        api.metricLatency({ statistic, period, label: `${statistic} ms` });
      this.addWidgets(
        graph(
          `${host}: requests and errors`,
          [api.metricCount(sum('requests'))],
          [api.metricClientError(sum('4xx')), api.metricServerError(sum('5xx'))],
        ),
        graph(`${host}: latency`, [latency('p50'), latency('p99')]),
      );
    }
    this.addWidgets(
      graph('table: consumed capacity', [
        tableMetric(tableName, 'ConsumedReadCapacityUnits'),
        tableMetric(tableName, 'ConsumedWriteCapacityUnits'),
      ]),
      graph(
        'table: throttled, of which by the limit of a partition',
        [
          tableMetric(tableName, 'ReadThrottleEvents'),
          tableMetric(tableName, 'WriteThrottleEvents'),
        ],
        [
          tableMetric(tableName, 'ReadKeyRangeThroughputThrottleEvents'),
          tableMetric(tableName, 'WriteKeyRangeThroughputThrottleEvents'),
        ],
      ),
      graph(
        'jobs: queued and dead-letter',
        queues.map(([label, queue]) =>
          queue.metricApproximateNumberOfMessagesVisible({ period, label }),
        ),
        [
          jobs.deadLetters.metricApproximateNumberOfMessagesVisible({
            period,
            label: 'dead-letter',
          }),
        ],
      ),
      graph(
        'jobs: age of the oldest in s',
        queues.map(([label, queue]) =>
          queue.metricApproximateAgeOfOldestMessage({ period, label }),
        ),
      ),
      new LogQueryWidget({
        title: 'functions: failures, durations, cold starts and memory',
        logGroupNames: Object.values(functions).map(({ logGroup }) => logGroup.logGroupName),
        view: LogQueryVisualizationType.TABLE,
        queryLines: reportQuery,
        width: 24,
        height: 9,
      }),
    );
  }
}
