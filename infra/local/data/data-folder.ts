import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../aws/host/start-error.ts';

const otherUsersMode = 0o077;

/** Every used data folder contains at least one of these. */
const knownNames = ['dynamodb.db', 's3', 'jwt-secret', 'aws-credentials'];

/** Returns whether a folder is a data folder. Protects folders such as `/tmp` from a change of their permissions. */
const isDataFolder = (entries: readonly string[]): boolean =>
  entries.length === 0 || knownNames.some((name) => entries.includes(name));

/**
 * Creates the data folder, or restricts an existing one, so that only its user can access it. All files that this process
 * creates later are restricted as well.
 * @throws StartError when the folder is unusable, or open to others and not recognized as a data folder
 */
export const openDataFolder = async (path: string): Promise<void> => {
  process.umask(otherUsersMode);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode } = await stat(path);
    // Windows has no such permissions; Node simulates them.
    if (process.platform === 'win32' || (mode & otherUsersMode) === 0) return;
    if (isDataFolder(await readdir(path))) return await chmod(path, 0o700);
  } catch (cause) {
    throw new StartError(
      `Can’t use the data folder ${path}. Check that you own it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  throw new StartError(
    `Other users can access the data folder ${path}. Run chmod 700 on it, or set DATA_DIR to another folder.`,
  );
};

/** Reads a text file of the data folder, or creates it, readable only by its user. */
export const loadOrCreateText = async (
  dataDir: string,
  name: string,
  generate: () => string,
): Promise<string> => {
  const file = join(dataDir, name);
  // Written under a temporary name, so that an interrupted start leaves no partial secret.
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, generate(), { mode: 0o600, flush: true });
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(file, 0o600);
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
};
