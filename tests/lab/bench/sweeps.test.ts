import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

const root = join(import.meta.dirname, '../../..');

describe('npm run bench -- sweeps', () => {
  it('reports how much the jobs do in a second, by calls and their stated durations', async () => {
    const args = ['tests/lab/bench/bench.ts', 'sweeps', '--size', '200'];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    const rows = stdout.split('\n').map((row) => row.split(/ {2,}/));
    const rateByCalls = (name: string): number => {
      const [, , , , , , waits = '', , jobs = ''] = rows.find(([first]) => first === name) ?? [];
      return Number(waits.replace('/s', '')) * Number(jobs);
    };
    // CPU depends on the machine, calls don't.
    expect(rateByCalls('ended shares')).toBeGreaterThan(50);
    expect(rateByCalls('deleted objects')).toBeGreaterThan(200);
    expect(rateByCalls('due reminders')).toBeGreaterThan(10_000 / 120);
    expect(rateByCalls('delivered reminders')).toBeGreaterThan(10_000 / 120);
    expect(rateByCalls('shares of a removed user')).toBeGreaterThan(100_000 / 600);
    expect(rateByCalls('documents of a removed user')).toBeGreaterThan(100_000 / 600);
  });
});
