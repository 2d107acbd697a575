import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../../functions/web/browser/client/endpoints.ts';
import { sleep } from '../../../../../functions/web/browser/client/transport.ts';
import { formatBytes } from '../../../../../shared/text/format-bytes.ts';
import { toVisibleLine } from '../../../../../shared/text/visible.ts';
import { connectIfPossible, connectWith } from '../../connection.ts';
import { CliError } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';
import { askCredentials, type CredentialOptions, signIn } from '../../sign-in.ts';
import { ask } from '../../terminal/input.ts';
import { note } from '../../terminal/output.ts';
import { assertAbsent, downloadTo } from './download.ts';

export interface ExportOptions extends CredentialOptions {
  readonly output?: string;
}

type Export = Data<'GET /api/users/me/exports'>[number];

/** How often the service is asked whether the archive is ready: soon at first, as small ones are. ms. */
const firstPauseMs = 1_000;
const maxPauseMs = 15_000;

/** The service begins within a minute and tries three times, 15 minutes each. ms. */
const maxWaitMs = 90 * 60_000;

const isOwnData = ({ kind }: Export): boolean => kind === 'own-data';

const isReady = ({ status, expiresAt }: Export): boolean =>
  status === 'ready' && (expiresAt === null || Date.parse(expiresAt) > Date.now());

const listExports = async (client: Client): Promise<readonly Export[]> =>
  client.call('GET /api/users/me/exports', { signal });

/** Asks for an archive, or takes the one of the last hour: the service makes one an hour, and a cut download goes on. */
const order = async (client: Client): Promise<Export> => {
  try {
    return await client.call('POST /api/users/me/export', { signal, retryMs: 0 });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    const last = (await listExports(client)).find((one) => isOwnData(one) && isReady(one));
    if (!last) throw error;
    note(`The archive of ${last.readyAt} is used: the service makes one an hour.`);
    return last;
  }
};

const waitFor = async (client: Client, { id }: Export): Promise<Export> => {
  const deadline = Date.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs, isTold = false; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const found = (await listExports(client)).find((one) => one.id === id);
    if (!found) throw new CliError('The export was deleted.');
    if (found.status === 'failed') {
      throw new CliError(`The export failed: ${found.problem ?? 'try again later.'}`);
    }
    if (found.status === 'ready') return found;
    if (Date.now() > deadline) {
      throw new CliError('The export takes very long. Run handbill export again later.');
    }
    if (!isTold) note('Preparing the archive. Ctrl+C stops waiting; it goes on.');
    isTold = true;
    await sleep(pauseMs, signal);
  }
};

/** What proves to the service who asks, for a download long after the sign-in. */
const prove = async (client: Client, password: string, error: ApiError): Promise<void> => {
  const isAboutCode = error.details.some(({ field }) => field === 'code');
  if (isAboutCode && !process.stdin.isTTY) {
    throw new CliError('The sign-in is too old: run handbill export again, with another code.');
  }
  const body = isAboutCode
    ? { code: await ask('Code of your authenticator app, or recovery code: ') }
    : { currentPassword: password };
  await client.call('POST /api/auth/reauthenticate', { body, signal });
};

/** Returns an address from which the archive can be fetched for a minute. */
const signAddress = async (client: Client, { id }: Export, password: string): Promise<string> => {
  const request = () =>
    client.call('POST /api/users/me/exports/{id}/download', { params: { id }, body: {}, signal });
  try {
    return (await request()).url;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    await prove(client, password, error);
    return (await request()).url;
  }
};

/** Returns the address of whom the kept token is, if there is one. */
const findEmail = async (): Promise<string | undefined> => {
  const client = await connectIfPossible();
  return client.call('GET /api/auth/me', { signal }).then(
    ({ email }) => email,
    () => undefined,
  );
};

/**
 * Asks for an archive of all that is the user's, waits for it and saves it. API tokens can't: it signs in for that, and out
 * again.
 * @throws ApiError; CliError; the reason of the interruption
 */
export const saveExport = async (
  url: string,
  { output, ...options }: ExportOptions,
): Promise<string> => {
  if (output !== undefined) await assertAbsent(output);
  const email = options.email ?? (await findEmail());
  if (process.stdin.isTTY && email !== undefined && options.email === undefined) {
    note(`Signing in as ${email} at ${url}.`);
  }
  const credentials = await askCredentials({ ...options, ...(email !== undefined && { email }) });
  const tokens = await signIn(url, credentials, `export your data at ${url}/account?tab=security`);
  const client = connectWith(url, tokens);
  try {
    const made = await waitFor(client, await order(client));
    const path = output ?? `handbill-${made.requestedAt.slice(0, 10)}.zip`;
    const getAddress = () => signAddress(client, made, credentials.password);
    await downloadTo(path, { id: made.id, bytes: made.bytes ?? 0, getAddress });
    for (const text of made.leftOut) note(`Left out: ${toVisibleLine(text)}`);
    note(`${formatBytes(made.bytes ?? 0)} saved.`);
    return path;
  } finally {
    await client.call('POST /api/auth/logout', { body: {} }).catch(() => undefined);
  }
};
