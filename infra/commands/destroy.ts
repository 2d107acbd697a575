import { createInterface } from 'node:readline/promises';
import { destroyArguments, runCdk } from './cdk.ts';
import { CommandError, chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { findOutputs, type StageOutputs } from './stage-outputs.ts';

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Without it an input that ends would leave the question open for ever.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
};

/** What outlives the stage, and what becomes of it. */
export const describeRetained = (outputs: Partial<StageOutputs>): string => {
  if (outputs.Ephemeral === 'true') return 'Nothing is kept: the stage is ephemeral.';
  const { TableName, FilesBucketName, SigningSecretId } = outputs;
  const kept = Object.entries({
    table: TableName && `${TableName} (deploy with -c existingTable=${TableName} to use it again)`,
    bucket: FilesBucketName,
    secret: SigningSecretId,
  }).filter(([, name]) => name !== undefined);
  return [
    'Kept, and paid for until you delete them:',
    ...kept.map(([what, name]) => `  ${what.padEnd(6)}  ${name}`),
  ].join('\n');
};

/** `npm run destroy -- [--stage <name>] [--region <region>] [--yes]` */
export const destroy = async (
  args: readonly string[],
  cdk = runCdk,
  answerTo = ask,
): Promise<void> => {
  const { values } = parseCommand({
    args,
    options: { ...stageOptions, yes: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const outputs = await findOutputs(stage);
  print(describeRetained(outputs));
  if (!values.yes && (await answerTo(`Type ${stage} to destroy the stage: `)).trim() !== stage) {
    throw new CommandError('Nothing was destroyed.');
  }
  await cdk(destroyArguments(stage));
  print(`The stage ${stage} is gone.`);
};

if (import.meta.main) await run(destroy);
