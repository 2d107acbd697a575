import { deployArguments, runCdk } from './cdk.ts';
import { chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { testStage } from './smoke.ts';
import { readOutputs } from './stage-outputs.ts';

/**
 * Runs `npm run deploy -- [--stage <name>] [--region <region>] [-c name=value …] [--yes]`, and then tests the stage.
 */
export const deploy = async (
  args: readonly string[],
  cdk = runCdk,
  test = testStage,
): Promise<void> => {
  const { values } = parseCommand({
    args,
    options: {
      ...stageOptions,
      context: { type: 'string', short: 'c', multiple: true },
      yes: { type: 'boolean' },
    },
  });
  const stage = chooseStage(values);
  await cdk(deployArguments(stage, values.context ?? [], values.yes ?? false));
  const { ServiceUrl } = await readOutputs(stage);
  await test(stage);
  print(`Handbill is running at ${ServiceUrl}`);
};

if (import.meta.main) await run(deploy);
