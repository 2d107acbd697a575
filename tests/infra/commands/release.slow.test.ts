import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compareVersions, lastVersion } from '../../../infra/commands/changelog.ts';
import { release } from '../../../infra/commands/release.ts';
import { temporaryFolder } from '../../support/run/process.ts';

const unreleased = `# Changelog

## [Unreleased]

### Added

- Sharing.
`;
const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/** Scripts that leave a trace, in place of those that take minutes. */
const scripts = { check: 'echo check >> .git/ran', test: 'echo test >> .git/ran' };

const printed: string[] = [];
let folder = '';
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
const read = (file: string) => readFile(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFile(join(folder, file), text);
const commit = async (file: string, text: string) => {
  await write(file, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `Change ${file}`);
};
const versions = async () => {
  const lock = JSON.parse(await read('package-lock.json'));
  return [
    JSON.parse(await read('package.json')).version,
    JSON.parse(await read('infra/cli/package.json')).version,
    lock.version,
    lock.packages[''].version,
    lock.packages['infra/cli'].version,
    lock.packages['node_modules/other'].version,
  ];
};
const run = async (...args: readonly string[]) => {
  printed.length = 0;
  await release(args, folder);
  return printed.join('');
};

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  vi.useFakeTimers({ now: new Date('2026-11-29T12:00:00Z'), toFake: ['Date'] });
  folder = await temporaryFolder();
  await mkdir(join(folder, 'infra/cli'), { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  await write('package.json', json({ name: 'handbill', version: '0.1.0', scripts }));
  await write('infra/cli/package.json', json({ name: 'handbill-cli', version: '0.1.0' }));
  const packages = {
    '': { version: '0.1.0' },
    'infra/cli': { version: '0.1.0' },
    'node_modules/other': { version: '0.1.0' },
  };
  await write('package-lock.json', json({ version: '0.1.0', packages }));
  await commit('CHANGELOG.md', unreleased);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('npm run release', () => {
  it('checks, sets the version everywhere, commits, tags, and pushes nothing', async () => {
    const before = git('rev-parse', 'HEAD');
    expect(await run('0.1.0', '--dry-run')).toBe(
      'Would run: npm run check, npm run test, commit “Release 0.1.0”, tag v0.1.0. Nothing is changed.\n',
    );
    expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual([
      before,
      '',
      '',
    ]);

    expect(await run('1.2.0')).toBe(
      'npm run check\nnpm run test\nv1.2.0 is committed and tagged. Push it with: git push origin main v1.2.0\n',
    );
    expect(await read('.git/ran')).toBe('check\ntest\n');
    expect(await versions()).toEqual(['1.2.0', '1.2.0', '1.2.0', '1.2.0', '1.2.0', '0.1.0']);
    expect(await read('CHANGELOG.md')).toBe(
      unreleased.replace('## [Unreleased]', '## [Unreleased]\n\n## [1.2.0] - 2026-11-29'),
    );
    expect([
      git('log', '-1', '--format=%s'),
      git('rev-parse', 'v1.2.0^{commit}'),
      git('status', '--porcelain'),
    ]).toEqual(['Release 1.2.0', git('rev-parse', 'HEAD'), '']);
    // Once more is the same release.
    expect(await run('1.2.0')).toBe(
      'v1.2.0 is this commit. Push it with: git push origin main v1.2.0\n',
    );
    expect(await read('.git/ran')).toBe('check\ntest\n');
  });

  it('only tags what a release that broke off has committed', async () => {
    await run('1.0.0');
    git('tag', '--delete', 'v1.0.0');
    expect(await run('1.0.0', '--dry-run')).toBe('Would run: tag v1.0.0. Nothing is changed.\n');
    expect(await run('1.0.0')).toMatch(/^v1\.0\.0 is committed and tagged\./);
    expect([git('tag'), git('rev-list', '--count', 'HEAD')]).toEqual(['v1.0.0', '2']);
  });

  it('leaves the files as they were if git refuses to commit', async () => {
    await write('.git/hooks/pre-commit', '#!/bin/sh\necho "No release today" >&2\nexit 1\n');
    execFileSync('chmod', ['+x', join(folder, '.git/hooks/pre-commit')]);
    await expect(run('1.0.0')).rejects.toThrow('git commit failed: No release today');
    expect([git('status', '--porcelain'), git('tag')]).toEqual(['', '']);
  });

  it('refuses what isn’t ready', async () => {
    await commit(
      'CHANGELOG.md',
      `${unreleased.replace('- Sharing.\n', '')}\n## [1.9.0] - 2026-11-01\n\n- Older.\n`,
    );
    await expect(run('2.0.0')).rejects.toThrow(
      'Say in CHANGELOG.md, below “Unreleased”, what changed',
    );
    await commit('CHANGELOG.md', `${unreleased}\n## [1.9.0] - 2026-11-01\n\n- Older.\n`);
    await expect(run('1.9.0')).rejects.toThrow('Choose a version above 1.9.0');
    expect(await run('1.10.0', '--dry-run')).toContain('tag v1.10.0');

    await write('new', '');
    await expect(run('2.0.0')).rejects.toThrow('Commit or discard these changes first:\n?? new');
    await commit(
      'package.json',
      json({ version: '1.9.0', scripts: { ...scripts, test: 'exit 1' } }),
    );
    await expect(run('2.0.0')).rejects.toThrow('npm run test failed. Nothing is released.');
    git('tag', 'v2.0.0', 'HEAD~1');
    await expect(run('2.0.0')).rejects.toThrow(
      'v2.0.0 is another commit. Choose a higher version.',
    );
    git('checkout', '--quiet', '-b', 'other');
    await expect(run('2.1.0')).rejects.toThrow('Releases are made on main. You are on other.');
    await commit('CHANGELOG.md', '# Changelog\n');
    git('checkout', '--quiet', '-B', 'main');
    await expect(run('2.1.0')).rejects.toThrow('Add the heading “## [Unreleased]” to CHANGELOG.md');
    for (const version of ['', 'v2.0.0', '2.0', '02.0.0', '2.0.0-beta']) {
      await expect(run(version)).rejects.toThrow('Usage: npm run release');
    }
  });
});

it('orders versions by their numbers', () => {
  expect(['1.10.0', '1.9.9', '0.9.0', '1.10.1'].toSorted(compareVersions)).toEqual([
    '0.9.0',
    '1.9.9',
    '1.10.0',
    '1.10.1',
  ]);
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  expect(lastVersion('## [1.9.0] - 2026-11-01\n## [1.10.0] - 2026-11-02\n## [Unreleased]\n')).toBe(
    '1.10.0',
  );
});
