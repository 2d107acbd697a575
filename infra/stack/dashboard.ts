import { Duration } from 'aws-cdk-lib';
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
import { jobQueues } from '../../shared/jobs/job-queue.ts';
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

/** The invocations of each function, by what Lambda reports of them. */
const reportQuery = [
  "filter type = 'platform.report'",
  'stats count(*) as invocations, count(record.metrics.initDurationMs) as coldStarts, pct(record.metrics.initDurationMs, 95) as coldStartMs, max(record.metrics.maxMemoryUsedMB) as usedMB, max(record.metrics.memorySizeMB) as ofMB by @log',
  'sort coldStarts desc',
];

/** The dashboard of a stage: requests, errors and latency of APIs and functions, table usage and queues. */
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
          `${host}: requests and errors`,
          [api.metricCount(sum('requests'))],
          [api.metricClientError(sum('4xx')), api.metricServerError(sum('5xx'))],
        ),
        graph(`${host}: latency`, [latency('p50'), latency('p99')]),
      );
    }
    const allFunctions = Object.entries(functions);
    this.addWidgets(
      graph(
        'functions: errors',
        allFunctions.map(([name, handler]) => handler.metricErrors(sum(name))),
      ),
      graph(
        'functions: p95 duration in ms',
        allFunctions.map(([name, handler]) =>
          handler.metricDuration({ statistic: 'p95', period, label: name }),
        ),
      ),
      graph('table: consumed capacity', [
        tableMetric(tableName, 'ConsumedReadCapacityUnits'),
        tableMetric(tableName, 'ConsumedWriteCapacityUnits'),
      ]),
      graph('table: throttled', [
        tableMetric(tableName, 'ReadThrottleEvents'),
        tableMetric(tableName, 'WriteThrottleEvents'),
      ]),
      graph(
        'jobs: queued and dead-letter',
        jobQueues.map((queue) =>
          jobs.queues[queue].metricApproximateNumberOfMessagesVisible({ period, label: queue }),
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
        jobQueues.map((queue) =>
          jobs.queues[queue].metricApproximateAgeOfOldestMessage({ period, label: queue }),
        ),
      ),
      new LogQueryWidget({
        title: 'functions: cold starts and memory',
        logGroupNames: allFunctions.map(([, { logGroup }]) => logGroup.logGroupName),
        view: LogQueryVisualizationType.TABLE,
        queryLines: reportQuery,
        width: 24,
        height: 9,
      }),
    );
  }
}
