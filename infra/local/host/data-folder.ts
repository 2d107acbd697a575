import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const othersRights = 0o077;

/** One of these is in every data folder that was used. */
const known = ['dynamodb', 's3', 'jwt-secret', 'aws-credentials'];

/** A folder such as `/tmp`, or a project's own, is not ours to close to others. */
const isDataFolder = (entries: readonly string[]): boolean =>
  entries.length === 0 || known.some((name) => entries.includes(name));

/**
 * Makes the data folder for its user alone, and takes the rights of others away from one that was made before. Whatever this
 * process makes from now on is its user's alone, too.
 * @throws StartError when the folder can't be used, or others may use it and it is not ours to narrow
 */
export const openDataFolder = async (path: string): Promise<void> => {
  process.umask(othersRights);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode } = await stat(path);
    // Windows has no such rights, and shows the ones that it makes up.
    if (process.platform === 'win32' || (mode & othersRights) === 0) return;
    if (isDataFolder(await readdir(path))) return await chmod(path, 0o700);
  } catch (cause) {
    throw new StartError(
      `The data folder ${path} can't be used: see that it is yours, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  throw new StartError(
    `Others may use the data folder ${path}: take their rights away (chmod 700), or set DATA_DIR to another folder.`,
  );
};

/** The text that a file of the data folder keeps between starts, readable for its user alone; made up at the first start. */
export const loadOrCreateText = async (
  dataDir: string,
  name: string,
  makeUp: () => string,
): Promise<string> => {
  const file = join(dataDir, name);
  // Written aside and then given its name, so that a start that breaks off leaves no half of a secret behind.
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, makeUp(), { mode: 0o600, flush: true });
  try {
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(file, 0o600);
  } finally {
    await rm(aside, { force: true });
  }
  return readFile(file, 'utf8');
};
