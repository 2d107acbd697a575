import type { Context } from 'aws-lambda';

/** Creates the Lambda context of an invocation that must end by `deadline` (ms since the epoch). */
export const lambdaContext = (requestId: string, deadline: number): Context => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'local',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'local',
  logGroupName: 'local',
  logStreamName: 'local',
  memoryLimitInMB: '1769',
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  done: () => {},
  fail: () => {},
  succeed: () => {},
});
