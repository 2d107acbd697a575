import { minutesPerMonth, pollsPerMonth, queues } from './assumptions.ts';
import type { Work } from './measure.ts';
import { alwaysFree, prices } from './prices.ts';

/** A line of the bill of a month without requests, in dollars. */
export interface IdleLine {
  readonly what: string;
  readonly listed: number;
  /** Cost after the free amounts, if the account uses them for nothing else. */
  readonly withFree: number;
  /** Marks optional costs of monitoring. */
  readonly isForWatching?: true;
}

const over = (used: number, free: number): number => Math.max(0, used - free);

/** Returns the bill of an idle month; `minute` is the work of the scheduled run each minute. */
export const idleMonth = (
  minute: Work,
  { alarmMetrics, dashboards }: { readonly alarmMetrics: number; readonly dashboards: number },
): IdleLine[] => {
  const gbSeconds = (minute.billedMs / 1_000) * (minute.memoryMb / 1_024) * minutesPerMonth;
  const logGb = (minute.logBytes * minutesPerMonth) / 1024 ** 3;
  const reads = minute.readUnits * minutesPerMonth * prices.readUnit;
  return [
    { what: 'the secret', listed: prices.secretMonth, withFree: prices.secretMonth },
    {
      what: `${pollsPerMonth} receives of ${queues} queues`,
      listed: pollsPerMonth * prices.queueRequest,
      withFree: over(pollsPerMonth, alwaysFree.queueRequests) * prices.queueRequest,
    },
    {
      what: `${minutesPerMonth} invocations of ${minute.billedMs} ms`,
      listed: minutesPerMonth * prices.invocation + gbSeconds * prices.gbSecond,
      withFree:
        over(minutesPerMonth, alwaysFree.invocations) * prices.invocation +
        over(gbSeconds, alwaysFree.gbSeconds) * prices.gbSecond,
    },
    { what: `${minute.readUnits} read units each`, listed: reads, withFree: reads },
    {
      what: `${(logGb * 1_024).toFixed(0)} MB of logs`,
      listed: logGb * (prices.logGb + prices.logGbMonth),
      withFree: over(logGb, alwaysFree.logGb) * (prices.logGb + prices.logGbMonth),
    },
    {
      what: `${alarmMetrics} metrics of alarms`,
      listed: alarmMetrics * prices.alarmMetricMonth,
      withFree: over(alarmMetrics, alwaysFree.alarmMetrics) * prices.alarmMetricMonth,
      isForWatching: true,
    },
    {
      what: `${dashboards} dashboard`,
      listed: dashboards * prices.dashboardMonth,
      withFree: over(dashboards, alwaysFree.dashboards) * prices.dashboardMonth,
      isForWatching: true,
    },
  ];
};
