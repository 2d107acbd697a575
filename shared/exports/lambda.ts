import { InvocationType, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { createRequestHandler } from '../runtime/request-handler.ts';
import { getSetting } from '../runtime/settings.ts';

let client: LambdaClient | undefined;

/** Returns the Lambda client: two attempts of up to three seconds. */
export const lambdaClient = (): LambdaClient => {
  client ??= new LambdaClient({ maxAttempts: 2, requestHandler: createRequestHandler(3_000) });
  return client;
};

/** Calls the function that makes exports, without waiting for it. Twice at once does no harm: the second finds nothing to do. */
export const callExports = async (): Promise<void> => {
  await lambdaClient().send(
    new InvokeCommand({
      FunctionName: getSetting('EXPORTS_FUNCTION'),
      InvocationType: InvocationType.Event,
    }),
  );
};
