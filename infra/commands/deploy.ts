import { deployArguments, parameterArguments, runCdk } from './cdk.ts';
import { chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { createEdgeParameters } from './edge-parameters.ts';
import { testStage } from './smoke.ts';
import { readOutputs } from './stage-outputs.ts';

/**
 * Runs `npm run deploy -- [--stage <name>] [--region <region>] [-c name=value …] [--yes]`, and then tests the stage.
 */
export const deploy = async (
  given: readonly string[],
  cdk = runCdk,
  test = testStage,
): Promise<void> => {
  const { values } = parseCommand({
    args: given,
    options: {
      ...stageOptions,
      context: { type: 'string', short: 'c', multiple: true },
      yes: { type: 'boolean' },
    },
  });
  const stage = chooseStage(values);
  const context = values.context ?? [];
  const args = deployArguments(stage, context, values.yes ?? false);
  const parameters = await createEdgeParameters(stage, context);
  await cdk([...args, ...parameterArguments(stage, parameters)]);
  const { ServiceUrl } = await readOutputs(stage);
  await test(stage);
  print(`Handbill is running at ${ServiceUrl}`);
};

if (import.meta.main) await run(deploy);
