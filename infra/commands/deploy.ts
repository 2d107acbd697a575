import { ask } from './ask.ts';
import { deployArguments, parameterArguments, runCdk, unprotected } from './cdk.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  printProblem,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { describeNext, makeDeployable } from './deployable.ts';
import { describeDnsEntries, listDnsEntries } from './dns-entries.ts';
import { createEdgeParameters } from './edge-parameters.ts';
import { testStage } from './smoke.ts';
import { setProtection } from './stack-changes.ts';
import { findStack } from './stack-state.ts';
import { readOutputs } from './stage-outputs.ts';

const usage = `Usage: npm run deploy -- [--stage <name>] [--region <region>] [-c <name>=<value>]… [--yes]
Deploys a stage, tests it and prints its address. After a failed first deployment it deletes what is left and starts again.
  -c, --context <name>=<value>  a setting (README.md#configure)
  --yes              grants permissions, and deletes what failed, without asking
${stageUsage}`;

/** Protects a stage from deletion once it runs: before, a failed creation could not be deleted. */
const protect = async (stage: string): Promise<void> => {
  const stack = await findStack(stage);
  if (!stack || stack.EnableTerminationProtection) return;
  try {
    await setProtection(stack.StackId ?? '', true);
  } catch (error) {
    printProblem(
      `Stack ${stack.StackName} isn’t protected from deletion: ${(error as Error).message}. Switch its termination protection on in the CloudFormation console.`,
    );
  }
};

/** Runs the CDK, and says what is next if it fails. */
const runDeployment = async (
  stage: string,
  args: readonly string[],
  cdk: typeof runCdk,
): Promise<void> => {
  const before = await findStack(stage);
  try {
    await cdk(args);
  } catch (error) {
    const next = await describeNext(stage, before).catch(() => undefined);
    if (next === undefined) throw error;
    throw new CommandError(`${(error as Error).message} ${next}`, { cause: error });
  }
};

/**
 * Runs `npm run deploy -- [--stage <name>] [--region <region>] [-c name=value …] [--yes]`, and then tests the stage.
 */
export const deploy = async (
  given: readonly string[],
  cdk = runCdk,
  test = testStage,
  confirm = ask,
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
  const isUnattended = values.yes ?? false;
  const args = deployArguments(stage, context, isUnattended);
  const isNew = await makeDeployable(stage, { isUnattended, confirm });
  const parameters = await createEdgeParameters(stage, context);
  await runDeployment(
    stage,
    [...args, ...(isNew ? unprotected : []), ...parameterArguments(stage, parameters)],
    cdk,
  );
  const outputs = await readOutputs(stage);
  const { ServiceUrl, Ephemeral } = outputs;
  if (Ephemeral !== 'true') await protect(stage);
  const entries = await listDnsEntries(outputs);
  for (const line of describeDnsEntries(entries)) print(line);
  if (entries.some(({ isSet }) => !isSet)) {
    print(
      `Handbill is deployed, and will be at ${ServiceUrl} once these DNS entries are set. Then test it: npm run smoke -- --stage ${stage}`,
    );
    return;
  }
  await test(stage);
  print(`Handbill is running at ${ServiceUrl}`);
};

if (import.meta.main) await run(deploy);
