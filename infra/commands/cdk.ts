import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { getStackName } from '../stack/stack-name.ts';
import { CommandError } from './command.ts';

const root = join(import.meta.dirname, '../..');

/** What `cdk` is asked, as its arguments. */
export type CdkArguments = readonly string[];

const withContext = (values: readonly string[]): CdkArguments =>
  values.flatMap((value) => ['--context', value]);

/**
 * Deploys a stage with these further values (`name=value`) in its context.
 * @throws CommandError when a value has no name or names the stage
 */
export const deployArguments = (
  stage: string,
  context: readonly string[],
  isUnattended: boolean,
): CdkArguments => {
  const wrong = context.find((value) => !/^[\w:@/.-]+=/.test(value) || value.startsWith('stage='));
  if (wrong !== undefined) {
    throw new CommandError(
      `Write ${JSON.stringify(wrong)} as --context name=value, and the stage as --stage name.`,
    );
  }
  return [
    'deploy',
    getStackName(stage),
    ...withContext([...context, `stage=${stage}`]),
    ...(isUnattended ? ['--require-approval', 'never'] : []),
  ];
};

/** Destroys a stage without asking: who calls it has asked. */
export const destroyArguments = (stage: string): CdkArguments => [
  'destroy',
  getStackName(stage),
  ...withContext([`stage=${stage}`]),
  '--force',
];

/**
 * Runs the `cdk` of this project at this terminal and waits for its end.
 * @throws CommandError when it fails; it has said why itself
 */
export const runCdk = async (args: CdkArguments): Promise<void> => {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, ...args], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new CommandError(`\`cdk ${args[0]}\` failed; nothing more was done.`);
};
