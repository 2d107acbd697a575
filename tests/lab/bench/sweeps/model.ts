import { functionConfigs } from '../../../../infra/functions/config/functions.ts';
import type { Consumption } from '../../../support/table/meter.ts';
import { cpuFactor, vcpuMb } from '../../cost/assumptions.ts';

/**
 * Stated durations of calls in ms, transactions and retries included: two to three times what they usually take within a
 * region.
 */
export const callMs = { table: 15, bucket: 300, queue: 20 } as const;

/** What was measured of one job that processed so many records, one call after another as it made them. */
export interface Measured {
  readonly records: number;
  readonly cpuMs: number;
  readonly used: Consumption;
}

/** Measures the work of one job; its CPU is all of this process. */
export const measure = async (
  meter: { measure(work: () => Promise<void>): Promise<Consumption> },
  records: number,
  work: () => Promise<void>,
): Promise<Measured> => {
  const before = process.cpuUsage();
  const used = await meter.measure(work);
  const { user, system } = process.cpuUsage(before);
  return { records, cpuMs: (user + system) / 1_000, used };
};

/** Records that one job processes in a second if it only waits: by its longest chain of calls. */
export const byCalls = ({ records, used: { trips, requests } }: Measured): number => {
  const others = trips - requests.bucket - requests.queue;
  const ms =
    others * callMs.table + requests.bucket * callMs.bucket + requests.queue * callMs.queue;
  return (1_000 * records) / ms;
};

/** Records that one function processes in a second if it only computes: with its part of a vCPU. */
export const byCpu = ({ records, cpuMs }: Measured): number => {
  const part = Math.min(1, functionConfigs.jobs.memoryMb / vcpuMb);
  return (1_000 * records * part) / (cpuMs * cpuFactor);
};

/** Records per second of so many jobs at once in so many functions. */
export const rateOf = (one: Measured, jobs: number, functions: number): number =>
  Math.min(jobs * byCalls(one), functions * byCpu(one));
