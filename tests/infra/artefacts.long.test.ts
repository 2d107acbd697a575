import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { artefactPaths, buildArtefacts } from '../../infra/build/artefacts.ts';
import { temporaryFolder } from '../support/run/process.ts';

const root = join(import.meta.dirname, '../..');

const readAll = (folder: string): Promise<string[]> =>
  Promise.all(artefactPaths.map((path) => readFile(join(folder, path), 'utf8')));

describe('buildArtefacts', () => {
  it('is reproducible, rebuilds what is missing or changed, and else does nothing', async () => {
    const folder = await temporaryFolder();
    const files = artefactPaths.map((path) => join(folder, path));
    // Concurrent builds leave only complete files.
    expect(await Promise.all([1, 2].map(() => buildArtefacts(folder)))).toContain(true);
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const names = await Promise.all(folders.map((path) => readdir(path)));
    expect(names.flat()).toHaveLength(artefactPaths.length);
    expect(await readAll(folder)).toEqual(await readAll(root));

    const before = await Promise.all(files.map((file) => stat(file)));
    expect(await buildArtefacts(folder)).toBe(false);
    expect(await Promise.all(files.map((file) => stat(file)))).toEqual(
      before.map(({ mtimeMs, ino }) => expect.objectContaining({ mtimeMs, ino })),
    );

    await rm(join(folder, artefactPaths[0]));
    expect(await buildArtefacts(folder)).toBe(true);
    await writeFile(join(folder, artefactPaths[1]), '{}');
    expect(await buildArtefacts(folder)).toBe(true);
    expect(await readAll(folder)).toEqual(await readAll(root));
  });
});
