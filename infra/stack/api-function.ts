import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SettingName } from '../../shared/runtime/settings.ts';
import type {
  FunctionConfig,
  FunctionName,
  OtherFunction,
} from '../functions/config/function-config.ts';
import { bundleFunction } from '../functions/function-code.ts';

interface ApiFunctionOptions {
  readonly stage: string;
  readonly logRetention?: RetentionDays;
  /** Whether X-Ray traces requests. */
  readonly tracing?: boolean;
}

/** A function's role. Its rights are a part of it: a policy of their own would be one more resource for each function. */
class FunctionRole extends Role {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const rights = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Rights: rights },
    });
    this.#rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** A function of the service. It may write to its own log, and gets other rights by grants. */
export class ApiFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(
    scope: Construct,
    id: string,
    name: FunctionName | OtherFunction,
    config: FunctionConfig,
    { stage, logRetention = RetentionDays.ONE_MONTH, tracing = false }: ApiFunctionOptions,
  ) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // AWS's managed policy for functions would allow writing to every log of the account.
    const role = new FunctionRole(this, 'Role');
    logGroup.grantWrite(role);
    this.function = new LambdaFunction(this, 'Function', {
      description: `Handbill: ${name}`,
      code: bundleFunction(name, config),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: config.memoryMb,
      timeout: Duration.seconds(config.timeoutSeconds),
      // A large job enqueues its remainder as a new job. Loop detection would stop the sixteenth in a row.
      // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
      ...(name === 'jobs' && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: { NODE_ENV: 'production', STAGE: stage },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Two lines for each invocation: the report tells cold starts and memory.
      // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
      systemLogLevelV2: config.isQuiet ? SystemLogLevel.WARN : SystemLogLevel.INFO,
      ...(tracing && { tracing: Tracing.ACTIVE }),
      role,
    });
    if (!tracing) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Traces belong to no resource.',
    });
  }

  /** Sets an environment variable of the function. `API_HOST` is the host whose unknown addresses it answers. */
  set(setting: SettingName | 'API_HOST' | `OIDC_${string}`, value: string): void {
    this.function.addEnvironment(setting, value);
  }
}
