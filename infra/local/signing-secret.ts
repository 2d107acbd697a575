import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const makeUp = async (file: string): Promise<void> => {
  // Written aside and then given its name, so that a start that breaks off leaves no half of a secret behind.
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
  try {
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
};

/** The secret that is kept in the data folder, so that sessions outlive a restart; made up at the first start. */
export const keptSecret = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'jwt-secret');
  await mkdir(dataDir, { recursive: true });
  await makeUp(file);
  return (await readFile(file, 'utf8')).trim();
};
