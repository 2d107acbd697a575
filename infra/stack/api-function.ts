import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SettingName } from '../../shared/runtime/settings.ts';
import { bundleFunction } from '../functions/function-code.ts';
import type { FunctionConfig, FunctionName } from '../functions/function-config.ts';

/** A function of the service. It may write to its own log, and do what it is granted. */
export class ApiFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(
    scope: Construct,
    id: string,
    purpose: FunctionName | 'fallback',
    needs: FunctionConfig,
    logRetention = RetentionDays.ONE_MONTH,
  ) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of its own: the managed one for functions may write to every log of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    this.function = new LambdaFunction(this, 'Function', {
      description: `Handbill: ${purpose}`,
      code: bundleFunction(purpose, needs),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: needs.memoryMb,
      timeout: Duration.seconds(needs.timeoutSeconds),
      // A job that there is too much of leaves the rest to another. Lambda would stop the sixteenth in a row.
      // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
      ...(purpose === 'jobs' && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: { NODE_ENV: 'production' },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Failures and time-outs, without the three lines that each invocation would add to that of the access log.
      // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
      systemLogLevelV2: SystemLogLevel.WARN,
      role,
    });
  }

  /** Gives the function a setting; `API_HOST` says whose fallback it is. */
  set(name: SettingName | 'API_HOST', value: string): void {
    this.function.addEnvironment(name, value);
  }
}
