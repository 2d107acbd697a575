import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Releases, toReleasesContext } from '../stack/releases.ts';
import { getStackName, unprotectedContext } from '../stack/stack-name.ts';
import { CommandError } from './command.ts';

const root = join(import.meta.dirname, '../..');

/** The command-line arguments of `cdk`. */
export type CdkArguments = readonly string[];

const withContext = (values: readonly string[]): CdkArguments =>
  values.flatMap((value) => ['--context', value]);

/**
 * Returns the arguments that deploy a stage with these context values (`name=value`).
 * @throws CommandError for a value without a name or with the name `stage`
 */
export const deployArguments = (
  stage: string,
  context: readonly string[],
  isUnattended: boolean,
): CdkArguments => {
  const invalid = context.find(
    (value) => !/^[\w:@/.-]+=/.test(value) || value.startsWith('stage='),
  );
  if (invalid !== undefined) {
    throw new CommandError(
      `Invalid context ${JSON.stringify(invalid)}. Use --context name=value, and --stage name for the stage.`,
    );
  }
  return [
    'deploy',
    getStackName(stage),
    ...withContext([...context, `stage=${stage}`]),
    ...(isUnattended ? ['--require-approval', 'never'] : []),
  ];
};

/** Returns the arguments that show what would change in a stage with this context value. */
export const diffArguments = (stage: string, context: string): CdkArguments => [
  'diff',
  getStackName(stage),
  ...withContext([context, `stage=${stage}`]),
  // A change set would be created, and of a new stage its stack.
  ...['--method', 'template'],
];

/** Returns the arguments that set parameters of a stage's stack. Others keep their values. */
export const parameterArguments = (
  stage: string,
  parameters: Readonly<Record<string, string>>,
): CdkArguments =>
  Object.entries(parameters).flatMap(([name, value]) => [
    '--parameters',
    `${getStackName(stage)}:${name}=${value}`,
  ]);

/** The arguments that create a stack without protection from deletion: the CDK would protect it before it is there. */
export const unprotected: CdkArguments = withContext([`${unprotectedContext}=true`]);

/** Returns the arguments that tell what a stage runs, so that it remembers that as the release before. */
export const releasesArguments = (releases: Releases): CdkArguments =>
  withContext([toReleasesContext(releases)]);

/**
 * Runs this project's `cdk` in this terminal and waits until it exits.
 * @throws CommandError on failure, which `cdk` has explained
 */
export const runCdk = async (args: CdkArguments): Promise<void> => {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, ...args], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new CommandError(`\`cdk ${args[0]}\` failed.`);
};
