import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * One line of JSON a request. The route's template stands for the path: whoever has a share's path can read the share,
 * and a query may carry its password or a view token.
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

/** The access log of one API. It goes with the stack. */
export class AccessLog extends Construct implements IAccessLogSettings {
  readonly destination: LogGroupLogDestination;
  readonly format = AccessLogFormat.custom(JSON.stringify(line));

  constructor(scope: Construct, id: string, name: string, retention: RetentionDays) {
    super(scope, id);
    this.destination = new LogGroupLogDestination(
      new LogGroup(this, 'Logs', {
        // Every log delivered under another name lengthens one policy of the account, which has a limit.
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
        logGroupName: `/aws/vendedlogs/handbill/${name}`,
        retention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    );
  }
}
