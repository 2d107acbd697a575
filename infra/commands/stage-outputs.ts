import type { Stack } from '@aws-sdk/client-cloudformation';
import { type OptionalOutputName, type OutputName, outputNames } from '../stack/stack-name.ts';
import { CommandError } from './command.ts';
import { findStack, notDeployed } from './stack-state.ts';

export type StageOutputs = Readonly<
  Record<OutputName, string> & Partial<Record<OptionalOutputName, string>>
>;

/** Returns the outputs of a stage's stack; some may be missing after a failed deployment. */
export const toOutputs = ({ Outputs = [] }: Stack): Partial<StageOutputs> =>
  Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));

/**
 * Returns the outputs of a deployed stage.
 * @throws CommandError when the stage is not deployed, or not completely
 */
export const readOutputs = async (stage: string): Promise<StageOutputs> => {
  const stack = await findStack(stage);
  if (!stack) throw notDeployed(stage);
  const outputs = toOutputs(stack);
  const missing = outputNames.find((name) => outputs[name] === undefined);
  if (missing) {
    throw new CommandError(`Stage ${stage} has no output ${missing}. Deploy it again.`);
  }
  return outputs as StageOutputs;
};
