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
    `Stage ${stage} not found in this account and region. Run \`npm run deploy -- --stage ${stage}\`.`,
  );

/**
 * Returns the outputs of a stage; some may be missing after a failed deployment.
 * @throws CommandError when the stage does not exist
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
 * Returns the outputs of a deployed stage.
 * @throws CommandError when the stage is not deployed, or not completely
 */
export const readOutputs = async (stage: string): Promise<StageOutputs> => {
  const outputs = await findOutputs(stage);
  const missing = outputNames.find((name) => outputs[name] === undefined);
  if (missing) {
    throw new CommandError(`Stage ${stage} has no output ${missing}. Deploy it again.`);
  }
  return outputs as StageOutputs;
};
