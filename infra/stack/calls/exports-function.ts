import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ApiFunction } from '../api-function.ts';

/** Prepares the function that makes exports: the schedule calls it every minute while any waits, so Lambda need not repeat a call. */
export const prepareExports = (exporter: LambdaFunction): LambdaFunction => {
  exporter.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  return exporter;
};

/** Lets a function call the one that makes exports. */
export const allowExports = (caller: ApiFunction, exporter: LambdaFunction): void => {
  caller.set('EXPORTS_FUNCTION', exporter.functionName);
  // Not by `grantInvoke`, which would allow calls of every version.
  Grant.addToPrincipal({
    grantee: caller.function,
    actions: ['lambda:InvokeFunction'],
    resourceArns: [exporter.functionArn],
  });
};
