import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from './error-mapping.ts';

/** What signing in leaves: the service and an API token of the user. */
export interface Config {
  readonly url: string;
  readonly token: string;
  /** The id of the token, if the command created it. */
  readonly tokenId?: number;
}

const { env, platform } = process;

const folder = (): string => {
  if (platform === 'win32') return env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
};

/** The path of the configuration, which only its owner can read. */
export const configFile = (): string => join(folder(), 'handbill', 'config.json');

/**
 * Reads the configuration; `undefined` before the first sign-in.
 * @throws CliError if it is damaged
 */
export const readConfig = async (): Promise<Config | undefined> => {
  const file = configFile();
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { url, token, tokenId } = JSON.parse(text);
    if (typeof url === 'string' && typeof token === 'string') return { url, token, tokenId };
  } catch {
    // Said below.
  }
  throw new CliError(`${file} is damaged: run handbill login again.`);
};

/** Writes the configuration as a whole, readable by its owner alone. */
export const writeConfig = async (config: Config): Promise<void> => {
  const file = configFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
};
