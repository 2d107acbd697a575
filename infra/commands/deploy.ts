import { deployArguments, parameterArguments, runCdk } from './cdk.ts';
import { chooseStage, parseCommand, print, run, stageOptions, stageUsage } from './command.ts';
import { createEdgeParameters } from './edge-parameters.ts';
import { testStage } from './smoke.ts';
import { readOutputs } from './stage-outputs.ts';

const usage = `Usage: npm run deploy -- [--stage <name>] [--region <region>] [-c <name>=<value>]… [--yes]
Deploys a stage, tests it and prints its address.
  -c, --context <name>=<value>  a setting (README.md#configure)
  --yes              grants permissions without asking
${stageUsage}`;

/**
 * Runs `npm run deploy -- [--stage <name>] [--region <region>] [-c name=value …] [--yes]`, and then tests the stage.
 */
export const deploy = async (
  given: readonly string[],
  cdk = runCdk,
  test = testStage,
): Promise<void> => {
  const { values } = parseCommand(usage, {
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
