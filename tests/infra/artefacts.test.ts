import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { artefactPaths, buildArtefacts } from '../../infra/build/artefacts.ts';
import { temporaryFolder } from '../support/run/process.ts';

const root = join(import.meta.dirname, '../..');

const readAll = (folder: string): Promise<string[]> =>
  Promise.all(artefactPaths.map((path) => readFile(join(folder, path), 'utf8')));

describe('buildArtefacts', () => {
  it('is reproducible', async () => {
    const folder = await temporaryFolder();
    expect(await buildArtefacts(folder)).toBe(true);
    expect(await readAll(folder)).toEqual(await readAll(root));
  });

  it('does nothing if sources and artefacts are unchanged', async () => {
    const folder = await temporaryFolder();
    await buildArtefacts(folder);
    const files = artefactPaths.map((path) => join(folder, path));
    const before = await Promise.all(files.map((file) => stat(file)));
    expect(await buildArtefacts(folder)).toBe(false);
    expect(await Promise.all(files.map((file) => stat(file)))).toEqual(
      before.map(({ mtimeMs, ino }) => expect.objectContaining({ mtimeMs, ino })),
    );
  });

  it('rebuilds a missing or changed artefact', async () => {
    const folder = await temporaryFolder();
    await buildArtefacts(folder);
    await rm(join(folder, artefactPaths[0]));
    expect(await buildArtefacts(folder)).toBe(true);
    await writeFile(join(folder, artefactPaths[1]), '{}');
    expect(await buildArtefacts(folder)).toBe(true);
    expect(await readAll(folder)).toEqual(await readAll(root));
  });

  it('leaves only complete files after concurrent builds', async () => {
    const folder = await temporaryFolder();
    expect(await Promise.all([1, 2, 3].map(() => buildArtefacts(folder)))).toContain(true);
    expect(await readAll(folder)).toEqual(await readAll(root));
    expect(await buildArtefacts(folder)).toBe(false);
    const built = new Set(artefactPaths.map((path) => join(folder, dirname(path))));
    const names = await Promise.all([...built].map((path) => readdir(path)));
    expect(names.flat()).toHaveLength(artefactPaths.length);
  });
});
