import { randomBytes } from 'node:crypto';
import { loadOrCreateText } from './data/data-folder.ts';

/** Loads the signing secret from the data folder, or creates it. It is stored so that sessions survive a restart. */
export const loadSecret = async (dataDir: string): Promise<string> =>
  (await loadOrCreateText(dataDir, 'jwt-secret', () => randomBytes(32).toString('base64'))).trim();
