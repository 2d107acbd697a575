import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { linesOf } from './scale/lines.ts';

const run = promisify(execFile);

const root = join(import.meta.dirname, '../../..');
/** The last two have more matches in each shard of a list than are counted. */
const sizes = [100, 5_000, 6_000];

describe('npm run bench -- scale', () => {
  it('reports the cost of each list for few and many records', async () => {
    const args = ['tests/lab/bench/bench.ts', 'scale', '--sizes', sizes.join()];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    // Below them are the rates, also by request.
    const [lists = ''] = stdout.split('\nall users together');
    const rows = lists.split('\n').filter((row) => row.startsWith('GET '));
    const marks = new Map(
      rows.map((row) => [row.split(/ {2,}/)[0], row.split(' ').at(-1)] as const),
    );
    expect([...marks.keys()]).toEqual(linesOf(0).map(({ name }) => name));
    expect([...marks].filter(([, mark]) => mark !== 'equal' && mark !== 'bounded')).toEqual([]);
    // One record of each kind takes 60 items; the originals are not counted.
    for (const size of sizes) {
      const [, items] =
        stdout.match(new RegExp(`^Seeded (\\d+) items \\(${size} of each`, 'm')) ?? [];
      expect(Number(items) / size, `${size}`).toBeGreaterThan(55);
    }
  });
});
