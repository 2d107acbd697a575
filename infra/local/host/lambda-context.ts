import type { Context } from 'aws-lambda';

/** What Lambda tells a function of one call; `deadline` is its end, in milliseconds since the epoch. */
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
