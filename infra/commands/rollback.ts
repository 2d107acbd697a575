import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Release } from '../stack/releases.ts';
import { ask, isConfirmed } from './ask.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { type Commit, Repository } from './rollback/checkout.ts';
import { describeRelease, findReleases } from './rollback/deployed.ts';

/** Runs npm in a folder, in this terminal. */
export type RunNpm = (folder: string, args: readonly string[]) => Promise<void>;

/** @throws CommandError if npm fails, which it has explained */
const runNpm: RunNpm = async (folder, args) => {
  const { npm_execpath: npm } = process.env;
  const [file, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(file, [...first, ...args], { cwd: folder, stdio: 'inherit' });
  // Ctrl+C ends the child, and then the checkout is removed.
  const wait = () => undefined;
  process.on('SIGINT', wait);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new CommandError(`\`npm ${args.slice(0, 2).join(' ')}\` failed.`);
  } finally {
    process.removeListener('SIGINT', wait);
  }
};

/** @throws CommandError if a commit is unknown, or isn't all that was deployed */
const toCommitName = ({ version, commit }: Release): string => {
  if (commit === undefined) {
    throw new CommandError(
      `${version} was deployed without Git, so its commit isn’t known. Name it with --to <commit or tag>.`,
    );
  }
  const [id = '', dirty] = commit.split('-');
  if (dirty === undefined) return id;
  throw new CommandError(
    `${version} was deployed with changes that weren’t committed, so it can’t be made again. For the commit without them, pass --to ${id}.`,
  );
};

/** @throws CommandError for a release that would deploy defaults in place of the settings that a stage remembers */
const assertRemembers = async (repository: Repository, commit: Commit): Promise<void> => {
  const text = (await repository.read(commit, 'package.json')) ?? '{}';
  const { scripts = {} } = JSON.parse(text) as { scripts?: Readonly<Record<string, string>> };
  if (scripts['rollback'] !== undefined) return;
  throw new CommandError(
    `${commit.id.slice(0, 7)} is older than remembered settings: it would deploy defaults. Check it out yourself, and deploy it with -c for each setting of the stage.`,
  );
};

const usage = `Usage: npm run rollback -- [--to <commit>] [--stage <name>] [--region <region>] [--yes]
Deploys the release that ran before, with the settings of the stage. Data stays as it is.
  --to <commit>      another commit or tag
  --yes              doesn’t ask
${stageUsage}`;

/** What the command works with. */
interface Surroundings {
  readonly root?: string;
  readonly npm?: RunNpm;
  readonly confirm?: typeof ask;
}

/**
 * Runs `npm run rollback -- [--to <commit>] [--stage <name>] [--region <region>] [--yes]`: checks the former release out
 * into a temporary folder, and runs its own deployment there, which takes the settings that the stack remembers.
 */
export const rollback = async (
  args: readonly string[],
  { root = join(import.meta.dirname, '../..'), npm = runNpm, confirm = ask }: Surroundings = {},
): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, to: { type: 'string' }, yes: { type: 'boolean' } },
  });
  const stage = chooseStage(values);
  const releases = await findReleases(stage);
  if (!releases && values.to === undefined) {
    throw new CommandError(
      `Stage ${stage} isn’t deployed in this account and region, or doesn’t tell what it runs.`,
    );
  }
  if (releases) print(`Stage ${stage} runs Handbill ${describeRelease(releases.running)}.`);
  if (values.to === undefined && !releases?.previous) {
    throw new CommandError(
      'It remembers no former release. Name a commit or tag with --to, or check one out and deploy it.',
    );
  }
  const repository = new Repository(root);
  await repository.assertUsable();
  const commit = await repository.find(values.to ?? toCommitName(releases?.previous as Release));
  await assertRemembers(repository, commit);
  print(
    `This deploys ${commit.id.slice(0, 7)} (${commit.summary}) from a temporary checkout, with the settings of the stage. Data stays as it is.`,
  );
  if (!values.yes && !(await isConfirmed('Deploy it?', confirm))) {
    throw new CommandError('Canceled. No changes made.');
  }
  const region = process.env['AWS_REGION'];
  const options = [
    ...['--stage', stage],
    ...(region === undefined ? [] : ['--region', region]),
    ...(values.yes ? ['--yes'] : []),
  ];
  await repository.withCheckout(commit, async (folder) => {
    await npm(folder, ['ci']);
    await npm(folder, ['run', 'deploy', '--', ...options]);
  });
};

if (import.meta.main) await run(rollback);
