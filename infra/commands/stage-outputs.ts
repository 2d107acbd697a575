import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { getStackName, type OutputName, outputNames } from '../stack/stack-name.ts';
import { CommandError } from './command.ts';

export type StageOutputs = Readonly<Record<OutputName, string>>;

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'ValidationError' &&
  /does not exist/.test(error.message);

const notDeployed = (stage: string) =>
  new CommandError(
    `There is no stage ${stage} in this account and region: \`npm run deploy -- --stage ${stage}\` makes it.`,
  );

/**
 * What a stage tells about itself; a part of it may be missing when its deployment failed.
 * @throws CommandError when there is no such stage
 */
export const findOutputs = async (stage: string): Promise<Partial<StageOutputs>> => {
  const { Stacks } = await new CloudFormationClient({})
    .send(new DescribeStacksCommand({ StackName: getStackName(stage) }))
    .catch((error: unknown) => {
      throw isMissing(error) ? notDeployed(stage) : error;
    });
  const [stack] = Stacks ?? [];
  if (!stack) throw notDeployed(stage);
  return Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
};

/**
 * What a deployed stage tells about itself.
 * @throws CommandError when it isn't deployed, or not to the end
 */
export const readOutputs = async (stage: string): Promise<StageOutputs> => {
  const outputs = await findOutputs(stage);
  const missing = outputNames.find((name) => outputs[name] === undefined);
  if (missing) {
    throw new CommandError(
      `The stage ${stage} doesn't tell its ${missing}: deploy it again, to the end.`,
    );
  }
  return outputs as StageOutputs;
};
