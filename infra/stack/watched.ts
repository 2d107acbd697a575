import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Host } from '../../shared/http/host.ts';
import type { HostApi } from './http-api.ts';
import type { JobQueues } from './job-queues.ts';

/** The resources of a stage that alarms and the dashboard monitor. */
export interface MonitoredResources {
  readonly stage: string;
  readonly apis: Readonly<Record<Host, HostApi>>;
  /** By function name. */
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  readonly tableName: string;
  readonly jobs: JobQueues;
}
