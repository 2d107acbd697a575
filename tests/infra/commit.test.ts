import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCommit } from '../../infra/build/commit.ts';
import { temporaryFolder } from '../support/run/process.ts';

it('is that of the folder, dirty with changes, and unknown without a repository of its own', async () => {
  const folder = await temporaryFolder();
  expect(readCommit(folder)).toBe('unknown');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  expect(readCommit(folder)).toBe('unknown');
  await writeFile(join(folder, 'a'), '1');
  git('add', 'a');
  git('commit', '--quiet', '--message', 'Begin');
  git('tag', 'v1.0.0');
  const commit = git('rev-parse', '--short=12', 'HEAD').trim();
  expect(readCommit(folder)).toBe(commit);
  await writeFile(join(folder, 'a'), '2');
  expect(readCommit(folder)).toBe(`${commit}-dirty`);
});
