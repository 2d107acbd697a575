import {
  CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
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

/** Finds the stack of a stage. */
const findStack = async (stage: string): Promise<Stack | undefined> => {
  try {
    const command = new DescribeStacksCommand({ StackName: getStackName(stage) });
    const { Stacks } = await new CloudFormationClient({}).send(command);
    return Stacks?.[0];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Returns the parameters of a stage; none if it isn't deployed. Secret ones read `****`. */
export const findParameters = async (stage: string): Promise<Readonly<Record<string, string>>> => {
  const { Parameters = [] } = (await findStack(stage)) ?? {};
  return Object.fromEntries(
    Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
  );
};

/**
 * Returns the outputs of a stage; some may be missing after a failed deployment.
 * @throws CommandError when the stage does not exist
 */
export const findOutputs = async (stage: string): Promise<Partial<StageOutputs>> => {
  const stack = await findStack(stage);
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
