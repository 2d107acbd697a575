import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Host } from '../../shared/http/host.ts';
import type { HostApi } from './http-api.ts';
import type { JobsQueue } from './jobs-queue.ts';

/** The parts of a stage that alarms and the dashboard look at. */
export interface MonitoredResources {
  readonly stage: string;
  readonly apis: Readonly<Record<Host, HostApi>>;
  /** By what they are for. */
  readonly functions: Readonly<Record<string, IFunction>>;
  readonly tableName: string;
  readonly jobs: JobsQueue;
}
