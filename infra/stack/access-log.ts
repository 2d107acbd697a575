import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

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

/** The access log of one API. It is deleted with the stack. */
export class AccessLog extends Construct implements IAccessLogSettings {
  readonly destination: LogGroupLogDestination;
  /** The requests that API Gateway throttled. */
  readonly throttled: IMetric;
  readonly format = AccessLogFormat.custom(JSON.stringify(line));

  constructor(scope: Construct, id: string, name: string, retention: RetentionDays) {
    super(scope, id);
    const logs = new LogGroup(this, 'Logs', {
      // Other log names would each lengthen one policy of the account, which has a size limit.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
      logGroupName: `/aws/vendedlogs/handbill/${name}`,
      retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.destination = new LogGroupLogDestination(logs);
    // API Gateway has no metric of the requests that it throttles itself: no function answers them.
    this.throttled = logs
      .addMetricFilter('Throttled', {
        filterPattern: FilterPattern.all(
          FilterPattern.stringValue('$.status', '=', '429'),
          FilterPattern.stringValue('$.integrationStatus', '=', '-'),
        ),
        metricNamespace: 'Handbill',
        metricName: `GatewayThrottled ${name}`,
        metricValue: '1',
      })
      .metric({ statistic: 'sum', period: Duration.minutes(5) });
  }
}
