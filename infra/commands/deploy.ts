import { toContextValue, toValues } from '../stack/settings/choices.ts';
import { pickProviderValues } from '../stack/settings/provider-values.ts';
import { describeUnknownRoles } from '../stack/settings/required-roles.ts';
import { readSettingsFile } from '../stack/settings/settings-file.ts';
import { ask } from './ask.ts';
import {
  deployArguments,
  diffArguments,
  parameterArguments,
  releasesArguments,
  runCdk,
  unprotected,
} from './cdk.ts';
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
import { createEdgeParameters } from './edge-parameters.ts';
import { describeWayBack, findReleases } from './rollback/deployed.ts';
import { checkLimit } from './settings/account-limit.ts';
import { printChanges } from './settings/changes.ts';
import { printIgnored } from './settings/environment.ts';
import { describeNewProviders } from './settings/new-providers.ts';
import { readRemembered } from './settings/remembered.ts';
import { checkSettings, dataSettings, resolveSettings } from './settings/resolve.ts';
import { testStage } from './smoke.ts';
import { setProtection } from './stack/changes.ts';
import { describeNext, makeDeployable } from './stack/deployable.ts';
import { findStack } from './stack-state.ts';
import { readOutputs } from './stage-outputs.ts';

const usage = `Usage: npm run deploy -- [--stage <name>] [--region <region>] [-c <name>=<value>]… [--yes] [--replace-data] [--preview]
Deploys a stage, tests it and prints its address. After a failed first deployment it deletes what is left and starts again.
  -c, --context <name>=<value>  a setting (README.md#configure), which the stage remembers; -c <name>= for its default
  --yes              changes settings, grants permissions and deletes what failed without asking
  --replace-data     lets settings change by which the stage can lose its data
  --preview          shows what would change, and deploys nothing
${stageUsage}`;

/** Protects a stage from deletion once it runs: before, a failed creation could not be deleted (decisions.md#deployments). */
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

/** Tests what was deployed, and says how to go back if that fails. Returns whether it could be tested. */
const runTest = async (stage: string, test: typeof testStage): Promise<boolean> => {
  try {
    return await test(stage);
  } catch (error) {
    const wayBack = await describeWayBack(stage).catch(() => undefined);
    if (wayBack === undefined || !(error instanceof CommandError)) throw error;
    throw new CommandError(`${error.message}\n${wayBack}`, { cause: error });
  }
};

/**
 * Runs `npm run deploy -- [--stage <name>] [--region <region>] [-c name=value …] [--yes]`, and then tests the stage.
 */
export const deploy = async (
  args: readonly string[],
  cdk = runCdk,
  test = testStage,
  confirm = ask,
  readFile = readSettingsFile,
): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: {
      ...stageOptions,
      context: { type: 'string', short: 'c', multiple: true },
      yes: { type: 'boolean' },
      'replace-data': { type: 'boolean' },
      preview: { type: 'boolean' },
    },
  });
  const stage = chooseStage(values);
  const isUnattended = values.yes ?? false;
  const given = {
    stage,
    given: values.context ?? [],
    file: readFile(stage),
    remembered: (await readRemembered(stage))?.settings ?? {},
  };
  printIgnored(process.env, given.given);
  // What is wrong with them is said before anything is deleted.
  const { merged } = checkSettings(given);
  for (const sentence of describeUnknownRoles(toValues(merged))) print(sentence);
  if (values.preview) {
    printChanges(stage, given.remembered, merged);
    await cdk(diffArguments(stage, toContextValue(merged)));
    return;
  }
  const isNew = await makeDeployable(stage, { isUnattended, confirm });
  const { settings, context } = await resolveSettings({
    ...given,
    isFirst: isNew,
    isUnattended,
    replaceable: values['replace-data'] ? dataSettings : [],
    confirm,
  });
  await checkLimit(settings);
  if (!settings.ephemeral && settings.alarmEmail === undefined) {
    print('No alarms: nobody is told when something fails. Set alarmEmail to your address.');
  }
  const releases = isNew ? undefined : await findReleases(stage);
  const parameters = await createEdgeParameters(settings);
  await runDeployment(
    stage,
    [
      ...deployArguments(stage, [context], isUnattended),
      ...(isNew ? unprotected : []),
      ...(releases ? releasesArguments(releases) : []),
      ...parameterArguments(stage, parameters),
    ],
    cdk,
  );
  const { ServiceUrl, Ephemeral } = await readOutputs(stage);
  if (Ephemeral !== 'true') await protect(stage);
  const isTested = await runTest(stage, test);
  print(
    isTested
      ? `Handbill is running at ${ServiceUrl}`
      : `Handbill is deployed, and will be at ${ServiceUrl}`,
  );
  const formerProviders = pickProviderValues(toValues(given.remembered));
  for (const line of describeNewProviders(formerProviders, settings.providers, {
    stage,
    url: ServiceUrl,
  })) {
    print(line);
  }
};

if (import.meta.main) await run(deploy);
