import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import { configFile, readConfig, writeConfig } from '../config.ts';
import { assertPrivate, connect, connectWith, findUrl, toOrigin } from '../connection.ts';
import { CliError } from '../error-mapping.ts';
import { interruption as signal } from '../interruption.ts';
import { askCredentials, type CredentialOptions, signIn } from '../sign-in.ts';
import { readStdin } from '../terminal/input.ts';
import { note, print, printJson } from '../terminal/output.ts';

interface LoginOptions extends CredentialOptions {
  readonly token?: string;
}

/** Creates an API token in a session that ends with this. */
const createToken = async (url: string, options: LoginOptions) => {
  const { accessToken } = await signIn(url, await askCredentials(options));
  const session = connectWith(url, { accessToken });
  const name = `handbill on ${hostname()}`.slice(0, 100);
  try {
    const made = await session.call('POST /api/auth/tokens', { body: { name } });
    if (signal.aborted) {
      await revoke(session, made.id);
      signal.throwIfAborted();
    }
    const former = await readConfig().catch(() => undefined);
    await writeConfig({ url, token: made.token, tokenId: made.id });
    if (former?.url === url && former.tokenId) await revoke(session, former.tokenId);
  } finally {
    await session.call('POST /api/auth/logout', { body: {} }).catch(() => undefined);
  }
};

const revoke = (session: Client, id: number) =>
  session.call('DELETE /api/auth/tokens/{id}', { params: { id } }).catch(() => undefined);

const keepToken = async (url: string, given: string): Promise<void> => {
  const token = given === '-' ? (await readStdin()).toString().trim() : given;
  // Any valid token may call it, whatever its scopes.
  await connectWith(url, { accessToken: token }).call('GET /api/roles', { signal });
  await writeConfig({ url, token });
};

/** Adds the commands about who is signed in. */
export const addAccountCommands = (program: Command): void => {
  program
    .command('login')
    .argument('[url]', 'the service; by default that of the last sign-in')
    .description('sign in once, and keep an API token')
    .option('--email <email>', 'your email address')
    .option('--code <code>', 'a code of your authenticator app, or a recovery code')
    .option('--token <token>', 'an API token to keep instead; - reads it from the input')
    .action(async (given: string | undefined, options: LoginOptions) => {
      const url = given === undefined ? await findUrl() : toOrigin(given);
      assertPrivate(url);
      await (options.token === undefined
        ? createToken(url, options)
        : keepToken(url, options.token));
      note(`Signed in at ${url}. The token is kept in ${configFile()}.`);
    });

  program
    .command('whoami')
    .description('say who is signed in, and where')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const user = await (await connect()).call('GET /api/auth/me', { signal });
      if (json) printJson(user);
      else print(`${user.name} <${user.email}>, ${user.role} at ${await findUrl()}`);
    });

  program
    .command('checkin')
    .description('check in for today’s points')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const result = await (await connect()).call('POST /api/checkin', { signal });
      if (!result.success) throw new CliError(result.message);
      if (json) printJson(result);
      else print(result.message);
    });
};
