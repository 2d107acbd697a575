import { randomBytes } from 'node:crypto';
import { loadOrCreateText } from './host/data-folder.ts';

/** The secret that is kept in the data folder, so that sessions outlive a restart; made up at the first start. */
export const loadSecret = async (dataDir: string): Promise<string> =>
  (await loadOrCreateText(dataDir, 'jwt-secret', () => randomBytes(32).toString('base64'))).trim();
