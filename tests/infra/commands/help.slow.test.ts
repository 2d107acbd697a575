import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compileCache } from '../../support/run/process.ts';

const root = join(import.meta.dirname, '../../..');

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The last program of each script, to which npm passes the arguments. */
const commands = Object.entries(scripts).flatMap(([name, script]): [string, string][] => {
  const [, file] = /(?:^|&& )node (\S+\.ts)$/.exec(script) ?? [];
  return file === undefined ? [] : [[name, file]];
});

/** Without credentials, a region, or a network that answers. */
const env = {
  ...compileCache,
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
};

const run = (file: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe('every command of package.json', () => {
  it('is a program that is tested here, or one of a tool with a help of its own', () => {
    const tools = Object.keys(scripts).filter((name) => !commands.some(([one]) => one === name));
    expect(
      tools.filter(
        (name) => !/^(prepare|test.*|types|cost|cost:write|format|check|lint:api)$/.test(name),
      ),
    ).toEqual([]);
    expect(commands.length).toBeGreaterThanOrEqual(15);
  });

  // `parseCommand` does both for all others, which show below that they begin with it.
  it.each(commands.filter(([name]) => ['start', 'bench', 'load', 'recount'].includes(name)))(
    'prints its usage: npm run %s -- --help',
    async (name, file) => {
      const { code, stdout, stderr } = await run(file, '--help');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name}\\b`));
    },
  );

  it.each(commands)('refuses an unknown option with its usage: npm run %s', async (name, file) => {
    const { code, stdout, stderr } = await run(file, '--nonsense');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`Usage: npm (run )?${name}\\b`));
  });
});
