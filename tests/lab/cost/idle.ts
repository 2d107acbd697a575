import type { Resources } from '../lambda/stack.ts';
import { minutesPerMonth, pollsPerMonth } from './assumptions.ts';
import type { Work } from './measure.ts';
import { alwaysFree, prices } from './prices.ts';

/** A line of the bill of a month without requests, in dollars. */
export interface IdleLine {
  readonly what: string;
  readonly listed: number;
  /** Cost in an account that uses its free amounts for nothing else. */
  readonly inEmptyAccount: number;
}

/** What a template has that costs without requests. */
export interface IdleResources {
  readonly queues: number;
  /** By the name of the alarm. */
  readonly alarmMetrics: Readonly<Record<string, number>>;
  /** The number of metrics of each dashboard. */
  readonly dashboards: readonly number[];
}

interface AlarmProperties {
  readonly AlarmName: string;
  readonly Metrics?: readonly { readonly MetricStat?: unknown }[];
}

interface DashboardProperties {
  readonly DashboardBody: { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
}

const countDashboardMetrics = ({ DashboardBody }: DashboardProperties): number => {
  const text = DashboardBody['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : '-'));
  const { widgets } = JSON.parse(text.join('')) as {
    widgets: { properties: { metrics?: unknown[] } }[];
  };
  return widgets.reduce((sum, { properties }) => sum + (properties.metrics?.length ?? 0), 0);
};

/** Reads what costs without requests from the resources of a template. */
export const readIdleResources = (resources: Resources): IdleResources => {
  const of = <Properties>(type: string): Properties[] =>
    Object.values(resources).flatMap(({ Type, Properties }) =>
      Type === type ? [Properties as Properties] : [],
    );
  return {
    queues: of('AWS::Lambda::EventSourceMapping').length,
    alarmMetrics: Object.fromEntries(
      of<AlarmProperties>('AWS::CloudWatch::Alarm').map(({ AlarmName, Metrics }) => [
        AlarmName,
        Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1,
      ]),
    ),
    dashboards: of<DashboardProperties>('AWS::CloudWatch::Dashboard').map(countDashboardMetrics),
  };
};

const over = (used: number, free: number): number => Math.max(0, used - free);

/** Returns the bill of an idle month; `minute` is the work of the scheduled run each minute. */
export const idleMonth = (
  minute: Work,
  { queues, alarmMetrics, dashboards }: IdleResources,
): IdleLine[] => {
  const gbSeconds = (minute.billedMs / 1_000) * (minute.memoryMb / 1_024) * minutesPerMonth;
  const logGb = (minute.logBytes * minutesPerMonth) / 1024 ** 3;
  const reads = minute.readUnits * minutesPerMonth * prices.readUnit;
  const polls = queues * pollsPerMonth;
  const alarms = Object.values(alarmMetrics).reduce((sum, one) => sum + one, 0);
  const large = dashboards.filter((metrics) => metrics > 50).length;
  return [
    { what: 'the secret', listed: prices.secretMonth, inEmptyAccount: prices.secretMonth },
    {
      what: `${polls} receives of ${queues} queues`,
      listed: polls * prices.queueRequest,
      inEmptyAccount: over(polls, alwaysFree.queueRequests) * prices.queueRequest,
    },
    {
      what: `${minutesPerMonth} invocations of ${minute.billedMs} ms`,
      listed: minutesPerMonth * prices.invocation + gbSeconds * prices.gbSecond,
      inEmptyAccount:
        over(minutesPerMonth, alwaysFree.invocations) * prices.invocation +
        over(gbSeconds, alwaysFree.gbSeconds) * prices.gbSecond,
    },
    { what: `${minute.readUnits} read units each`, listed: reads, inEmptyAccount: reads },
    {
      what: `${(logGb * 1_024).toFixed(0)} MB of logs`,
      listed: logGb * (prices.logGb + prices.logGbMonth),
      inEmptyAccount: over(logGb, alwaysFree.logGb) * (prices.logGb + prices.logGbMonth),
    },
    // That of finished runs; all others have numbers only when something fails.
    {
      what: '1 metric of the service',
      listed: prices.metricMonth,
      inEmptyAccount: over(1, alwaysFree.metrics) * prices.metricMonth,
    },
    {
      what: `${alarms} metrics of alarms`,
      listed: alarms * prices.alarmMetricMonth,
      inEmptyAccount: over(alarms, alwaysFree.alarmMetrics) * prices.alarmMetricMonth,
    },
    {
      what: `${dashboards.length} dashboard of ${dashboards.join(', ')} metrics`,
      listed: dashboards.length * prices.dashboardMonth,
      inEmptyAccount:
        (large + over(dashboards.length - large, alwaysFree.dashboards)) * prices.dashboardMonth,
    },
  ];
};
