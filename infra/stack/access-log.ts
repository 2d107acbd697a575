import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  FilterPattern,
  type JsonPattern,
  LogGroup,
  type RetentionDays,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Host } from '../../shared/http/host.ts';

/**
 * The JSON line of a request. It contains the route's template instead of the path, because the path gives access to a
 * share, and a query may contain its password or a view token.
 */
const line = {
  time: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatencyMs: '$context.integrationLatency',
  error: '$context.error.message',
  integrationError: '$context.integrationErrorMessage',
};

const status = (field: string, value: string): JsonPattern =>
  FilterPattern.stringValue(`$.${field}`, '=', value);

/**
 * What the access logs of a stage count that has no metric, or only one for each function. Both APIs count into the same
 * metric, so that an alarm has one to pay for.
 */
export const accessMetrics = {
  // No function answers such a request.
  GatewayThrottled: FilterPattern.all(status('status', '429'), status('integrationStatus', '-')),
  // Lambda's own status, not the function's: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
  FunctionsThrottled: status('integrationStatus', '429'),
} as const satisfies Readonly<Record<string, JsonPattern>>;

/** Returns the name of a stage's metric, in the namespace `Handbill`. */
export const getAccessMetricName = (name: keyof typeof accessMetrics, stage: string): string =>
  `${name} ${stage}`;

/** The access log of one API. It is deleted with the stack. */
export class AccessLog extends Construct implements IAccessLogSettings {
  readonly destination: LogGroupLogDestination;
  readonly format = AccessLogFormat.custom(JSON.stringify(line));

  constructor(
    scope: Construct,
    id: string,
    { stage, host }: { readonly stage: string; readonly host: Host },
    retention: RetentionDays,
  ) {
    super(scope, id);
    const logs = new LogGroup(this, 'Logs', {
      // Other log names would each lengthen one policy of the account, which has a size limit.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
      logGroupName: `/aws/vendedlogs/handbill/${stage}/${host}`,
      retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.destination = new LogGroupLogDestination(logs);
    for (const name of Object.keys(accessMetrics) as (keyof typeof accessMetrics)[]) {
      logs.addMetricFilter(name, {
        filterPattern: accessMetrics[name],
        metricNamespace: 'Handbill',
        metricName: getAccessMetricName(name, stage),
        metricValue: '1',
      });
    }
  }
}
