import { ask } from './ask.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { describeRedeployment } from './settings/redeployment.ts';
import { readRemembered } from './settings/remembered.ts';
import { removeStack } from './stack/changes.ts';
import { describeRetained, readRetained, retainedBeside, toSettings } from './stack/retained.ts';
import { findStack, getState } from './stack-state.ts';
import { toOutputs } from './stage-outputs.ts';

const usage = `Usage: npm run destroy -- [--stage <name>] [--region <region>] [--yes]
Deletes the stack of a stage, and prints what remains.
  --yes              doesn’t ask for the stage’s name
${stageUsage}`;

/** Runs `npm run destroy -- [--stage <name>] [--region <region>] [--yes]`. */
export const destroy = async (args: readonly string[], confirm = ask): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, yes: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const stack = await findStack(stage);
  if (!stack) {
    throw new CommandError(
      `Stage ${stage} isn’t deployed in this account and region: there is nothing to destroy. Check --stage and --region.`,
    );
  }
  if (getState(stack) === 'busy') {
    throw new CommandError(
      `Stack ${stack.StackName} is being changed (${stack.StackStatus}). Destroy it once that has ended.`,
    );
  }
  const outputs = toOutputs(stack);
  const retained = getState(stack) === 'new' ? [] : await readRetained(stack);
  if (outputs.Ephemeral !== 'true') retained.push(...retainedBeside(outputs, retained));
  print(describeRetained(retained));
  if (!values.yes && (await confirm(`Type ${stage} to destroy the stage: `)).trim() !== stage) {
    throw new CommandError('Canceled.');
  }
  // It is forgotten with the stack; destroying doesn't depend on it.
  const remembered = await readRemembered(stage).catch(() => undefined);
  await removeStack(stack);
  print(`Stage ${stage} deleted.`);
  if (retained.length > 0) {
    print(describeRedeployment(stage, remembered?.settings ?? {}, toSettings(retained)));
  }
};

if (import.meta.main) await run(destroy);
