import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rollback } from '../../../infra/commands/rollback.ts';
import type { Release } from '../../../infra/stack/releases.ts';

const cloudFormation = mockClient(CloudFormationClient);
let root: string;
/** The commits: one without remembered settings, a release, and the one that runs. */
let old: string;
let former: string;
let running: string;

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .toString()
    .trim();

const commit = (version: string, scripts: object): string => {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version, scripts }));
  git('add', '.');
  git('commit', '-qm', `Release ${version}`, '--date', '2026-11-20T12:00:00Z');
  return git('rev-parse', 'HEAD');
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rollback-'));
  git('init', '-q', '.');
  old = commit('0.1.0', {});
  former = commit('0.2.0', { rollback: 'node' });
  running = commit('0.3.0', { rollback: 'node' });
});
afterAll(() => rmSync(root, { recursive: true }));

let printed: string;
/** The calls of npm, with the version in the folder. */
let calls: (readonly [version: string, ...args: string[]])[];
let folder: string;

const npm = async (at: string, args: readonly string[]): Promise<void> => {
  folder = at;
  const { version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  calls.push([version, ...args]);
};

const deployed = (releases: { running: Release; previous?: Release } | undefined): void => {
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackName: 'x', CreationTime: new Date(), StackStatus: 'UPDATE_COMPLETE' }],
  });
  const Metadata = releases && {
    Handbill: { settings: {}, ...releases.running },
    HandbillPrevious: releases.previous,
  };
  cloudFormation.on(GetTemplateSummaryCommand).resolves({ Metadata: JSON.stringify(Metadata) });
};

const run = (...args: readonly string[]) => rollback(args, { root, npm, confirm: async () => 'y' });

beforeEach(() => {
  cloudFormation.reset();
  printed = '';
  calls = [];
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  deployed({
    running: { version: '0.3.0', commit: running },
    previous: { version: '0.2.0', commit: former },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('npm run rollback', () => {
  const options = ['--stage', 'dev', '--region', 'eu-central-1'];

  it('says what it does, and deploys the former commit from a checkout of its own', async () => {
    await run('--stage', 'dev');
    expect(printed).toMatch(
      new RegExp(
        `^Stage dev runs Handbill 0\\.3\\.0 \\(${running.slice(0, 7)}\\)\\.\\nThis deploys ${former.slice(0, 7)} \\([\\d-]{10} Release 0\\.2\\.0\\) from`,
      ),
    );
    expect(calls).toEqual([
      ['0.2.0', 'ci'],
      ['0.2.0', 'run', 'deploy', '--', ...options],
    ]);
    expect(existsSync(folder)).toBe(false);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('passes --yes on, and doesn’t ask with it', async () => {
    await rollback(['--stage', 'dev', '--yes'], { root, npm, confirm: () => expect.unreachable() });
    expect(calls.at(-1)).toEqual(['0.2.0', 'run', 'deploy', '--', ...options, '--yes']);
  });

  it('deploys a commit that is named', async () => {
    deployed(undefined);
    await run('--to', running);
    expect(calls[0]).toEqual(['0.3.0', 'ci']);
  });

  it('removes the checkout if the deployment fails', async () => {
    const fail = async (at: string) => {
      folder = at;
      throw new Error('no network');
    };
    await expect(rollback(['--yes'], { root, npm: fail })).rejects.toThrow('no network');
    expect(existsSync(folder)).toBe(false);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('changes nothing after a no', async () => {
    const no = rollback([], { root, npm, confirm: async () => '' });
    await expect(no).rejects.toThrow('Canceled. No changes made.');
    expect(calls).toEqual([]);
  });

  it.each([
    ['no stack', undefined, 'isn’t deployed in this account and region'],
    ['no former release', null, 'It remembers no former release.'],
    ['one without Git', { version: '0.2.0' }, '0.2.0 was deployed without Git'],
    [
      'one with changes',
      { version: '0.2.0', commit: 'abc1234-dirty' },
      'with changes that weren’t committed, so it can’t be made again. For the commit without them, pass --to abc1234.',
    ],
    [
      'an unknown commit',
      { version: '0.2.0', commit: 'f'.repeat(40) },
      `${'f'.repeat(40)} isn’t in this repository. Run \`git fetch --all --tags\``,
    ],
  ] as const)('says what is missing: %s', async (_, previous, message) => {
    deployed(
      previous === undefined
        ? undefined
        : { running: { version: '0.3.0', commit: running }, ...(previous && { previous }) },
    );
    await expect(run()).rejects.toThrow(message);
    expect(calls).toEqual([]);
  });

  it('refuses a commit that would forget the settings', async () => {
    await expect(run('--to', old)).rejects.toThrow('is older than remembered settings');
  });

  it('says how to get the history of a shallow clone', async () => {
    const shallow = mkdtempSync(join(tmpdir(), 'shallow-'));
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, shallow]);
    await expect(rollback(['--yes'], { root: shallow, npm })).rejects.toThrow(
      'which was cloned without its history. Run `git fetch --unshallow --tags`',
    );
    rmSync(shallow, { recursive: true });
  });

  it('says that a folder is no repository, and that Git is missing', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    vi.stubEnv('GIT_CEILING_DIRECTORIES', tmpdir());
    await expect(rollback(['--yes'], { root: outside, npm })).rejects.toThrow('no Git repository');
    vi.stubEnv('PATH', outside);
    await expect(rollback(['--yes'], { root, npm })).rejects.toThrow('Git isn’t installed');
    rmSync(outside, { recursive: true });
  });
});
