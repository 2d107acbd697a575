import { createInterface } from 'node:readline/promises';
import {
  CloudFormationClient,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { getStackName } from '../stack/stack-name.ts';
import { destroyArguments, runCdk } from './cdk.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { findOutputs, type StageOutputs } from './stage-outputs.ts';

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The question never resolves when the input ends.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
};

/** Lists the resources that remain after the stage is destroyed. */
export const describeRetained = (outputs: Partial<StageOutputs>): string => {
  if (outputs.Ephemeral === 'true') return 'Nothing is retained: the stage is ephemeral.';
  const { TableName, FilesBucketName, SigningSecretId } = outputs;
  const retained = Object.entries({
    table: TableName && `${TableName} (deploy with -c existingTable=${TableName} to use it again)`,
    bucket: FilesBucketName,
    secret: SigningSecretId,
  }).filter(([, name]) => name !== undefined);
  return [
    'Retained (still billed):',
    ...retained.map(([kind, name]) => `  ${kind.padEnd(6)}  ${name}`),
  ].join('\n');
};

/** Ends the protection that keeps everyone else from deleting the stack. */
const allowTermination = (stage: string) =>
  new CloudFormationClient({}).send(
    new UpdateTerminationProtectionCommand({
      StackName: getStackName(stage),
      EnableTerminationProtection: false,
    }),
  );

const usage = `Usage: npm run destroy -- [--stage <name>] [--region <region>] [--yes]
Deletes the stack of a stage, and prints what remains.
  --yes              doesn’t ask for the stage’s name
${stageUsage}`;

/** Runs `npm run destroy -- [--stage <name>] [--region <region>] [--yes]`. */
export const destroy = async (
  args: readonly string[],
  cdk = runCdk,
  confirm = ask,
): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, yes: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const outputs = await findOutputs(stage);
  print(describeRetained(outputs));
  if (!values.yes && (await confirm(`Type ${stage} to destroy the stage: `)).trim() !== stage) {
    throw new CommandError('Canceled.');
  }
  await allowTermination(stage);
  await cdk(destroyArguments(stage));
  print(`Stage ${stage} deleted.`);
};

if (import.meta.main) await run(destroy);
