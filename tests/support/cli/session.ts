import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { admin, startFreshService } from '../run/fresh-service.ts';
import { temporaryFolder } from '../run/process.ts';
import { keepSecret } from '../run/secrets.ts';
import { createShell } from './handbill.ts';

/** Starts a service, and a shell without a sign-in. */
export const startSession = async () => {
  const service = await startFreshService();
  const folder = await temporaryFolder();
  const { run } = createShell(folder);
  return { service, folder, run, config: join(folder, '.config/handbill/config.json') };
};

/** Starts a session, and signs in as the super_admin. */
export const signIn = async () => {
  const session = await startSession();
  const login = await session.run(['login', session.service.url], {
    input: `${admin.email}\n${admin.password}\n`,
  });
  const { token } = JSON.parse(await readFile(session.config, 'utf8'));
  keepSecret('API token', token);
  return { ...session, login, token: token as string };
};
