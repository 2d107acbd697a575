import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { mockClient } from 'aws-sdk-client-mock';
import type { CdkArguments } from '../../../infra/commands/cdk.ts';
import { fromContext } from '../../../infra/stack/settings/choices.ts';
import { remember } from '../../../infra/stack/settings/memory.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';

/** The values of a context on a command line of `cdk`. */
const contextOf = (args: CdkArguments): Record<string, string> =>
  Object.fromEntries(
    args
      .filter((_, at) => args[at - 1] === '--context')
      .map((value) => value.split(/=(.*)/s, 2) as [string, string]),
  );

/**
 * One stack in CloudFormation, which is mocked: it is there once `cdk` has deployed it, with all outputs, and remembers the
 * settings of that deployment in the metadata of its template.
 */
export const createRememberingStack = (outputs: Readonly<Record<string, string>> = {}) => {
  const calls: CdkArguments[] = [];
  let metadata: string | undefined;
  const missing = Object.assign(new Error('Stack with id Handbill-prod does not exist'), {
    name: 'ValidationError',
  });
  const answer = <T>(value: T): T => {
    if (metadata === undefined) throw missing;
    return value;
  };
  const cloudFormation = mockClient(CloudFormationClient);
  cloudFormation.on(GetTemplateSummaryCommand).callsFake(() => answer({ Metadata: metadata }));
  const Outputs = outputNames.map((OutputKey) => ({
    OutputKey,
    OutputValue: outputs[OutputKey] ?? 'https://a.test',
  }));
  cloudFormation
    .on(DescribeStacksCommand)
    .callsFake(() => answer({ Stacks: [{ StackStatus: 'UPDATE_COMPLETE', Outputs }] }));
  mockClient(LambdaClient)
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1_000 } });
  return {
    calls,
    cloudFormation,
    /** Deploys, as far as the stack's memory goes. */
    cdk: async (args: CdkArguments): Promise<void> => {
      calls.push(args);
      const settings = fromContext(contextOf(args)) ?? {};
      const stack = new Stack();
      remember(stack, new Topic(stack, 'Topic'), { settings, version: '0.1.0' });
      metadata = JSON.stringify(stack.templateOptions.metadata);
    },
    /** Returns the settings of the last deployment. */
    settings: (): Readonly<Record<string, string>> => {
      const choices = fromContext(contextOf(calls.at(-1) ?? [])) ?? {};
      return Object.fromEntries(Object.entries(choices).map(([name, { value }]) => [name, value]));
    },
  };
};
