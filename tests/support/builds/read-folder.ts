import { glob, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Reads all files below a folder, by their paths. */
export const readFolder = async (folder: string): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>();
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1).replaceAll(sep, '/'), await readFile(path));
  }
  return files;
};
