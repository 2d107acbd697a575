import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

/** What the tables that the test prints begin with. */
const tableStarts = ['all users together', 'one share of'];

/**
 * Reports how often a second all users together can send each request, and one share can be viewed, until a partition
 * refuses: by the simulation of tests/lab/partitions/rates.test.ts. Its sample requests need a test runner.
 * @throws Error if the simulation fails
 */
export const reportRates = async (): Promise<string> => {
  const options = ['--config', 'tests/vitest.config.ts', '--project', 'rates', '--reporter', 'dot'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--silent', ...options];
  // The settings of the benchmark would make other requests of them.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { stdout } = await run(process.execPath, args, { cwd: root, env });
  const lines = stdout.split('\n');
  const tables = tableStarts.map((start) => {
    const from = lines.findIndex((line) => line.startsWith(start));
    return lines.slice(from, lines.indexOf('', from)).join('\n');
  });
  return `${tables.join('\n\n')}\n`;
};
