import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNoise } from '../../support/archives/bombs.ts';
import { hostileArchives } from '../../support/archives/hostile.ts';
import { createZip } from '../../support/archives/zip.ts';

const child = join(import.meta.dirname, '../../support/archives/unzip-child.ts');

const megabyte = 1024 * 1024;

/** The largest archive that is unpacked: a page of 5 MB and files of 4 MB. */
const createLargest = (): Buffer =>
  createZip([
    { name: 'index.html', content: createNoise(5 * megabyte) },
    ...Array.from({ length: 5 }, (_, at) => ({
      name: `${at}.bin`,
      content: createNoise(4 * megabyte),
      method: at % 2 === 0 ? 0 : 8,
    })),
  ]);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Unpacks archives in a process of their own. Returns how each ended, and the most memory that it took, in MB. */
const unpack = async (paths: readonly string[]) => {
  const args = ['--expose-gc', '--max-old-space-size=64', child, ...paths];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const lines = stdout.trim().split('\n');
  return { ends: lines.slice(0, -1), megabytes: Number(lines.at(-1)) };
};

/** Archives from this size on are unpacked each by itself, because what one leaves is no memory of the next. */
const largeBytes = megabyte;

it('unpacks and refuses archives within 200 MB of memory', async () => {
  const archives = [
    ...hostileArchives.map(([, code, create]) => [code, create] as const),
    ['unpacked', createLargest] as const,
  ];
  const small: [end: string, path: string][] = [];
  for (const [at, [end, create]] of archives.entries()) {
    const archive = create();
    const path = join(folder, `${at}.zip`);
    await writeFile(path, archive);
    if (archive.length < largeBytes) small.push([end, path]);
    else {
      const { ends, megabytes } = await unpack([path]);
      expect([at, ends]).toEqual([at, [end]]);
      expect(megabytes).toBeLessThan(200);
    }
  }
  const { ends, megabytes } = await unpack(small.map(([, path]) => path));
  expect(ends).toEqual(small.map(([end]) => end));
  expect(megabytes).toBeLessThan(200);
});
