import { randomBytes } from 'node:crypto';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { useRemembered } from './settings/remembered.ts';
import { byTable, byToken, type Caretaker, createPerson, type Person } from './smoke/account.ts';
import { listMissingNames } from './smoke/names.ts';
import { createSender, expectStatus, failed, type Send } from './smoke/requests.ts';
import { readOutputs } from './stage-outputs.ts';

/** Shares a text that can be read once, and reads it twice. */
const checkShare = async (send: Send, token: string): Promise<void> => {
  const content = `# ${randomBytes(9).toString('hex')}`;
  const body = { content, language: 'markdown', viewLimit: 1 };
  const created = await expectStatus(send, 201, '/api/share', { method: 'POST', token, body });
  const { id } = (await created.json()) as { id: string };
  const page = await (await expectStatus(send, 200, `/s/${id}`)).text();
  if (!page.includes('<form')) throw failed('the page of a share doesn’t ask first', 200);
  const read = await expectStatus(send, 200, `/api/share?id=${id}`);
  const shared = (await read.json()) as { content: string };
  if (shared.content !== content) throw failed('a share has another content', 200);
  await expectStatus(send, 410, `/api/share?id=${id}`);
  await expectStatus(send, 200, `/api/share/${id}`, { method: 'DELETE', token });
  await expectStatus(send, 404, `/api/share?id=${id}`);
};

/** Uploads a file, downloads it and deletes it. */
const checkFile = async (send: Send, token: string): Promise<void> => {
  const content = randomBytes(1_000);
  const body = new FormData();
  body.set('file', new Blob([content]), 'smoke.bin');
  const uploaded = await expectStatus(send, 201, '/api/files/upload', {
    method: 'POST',
    token,
    body,
  });
  const { data } = (await uploaded.json()) as { data: { id: string } };
  const path = `/api/files/${data.id}`;
  const download = await expectStatus(send, 302, `${path}/download`, { token });
  const stored = await expectStatus(send, 200, download.headers.get('location') ?? '');
  if (!content.equals(Buffer.from(await stored.arrayBuffer())))
    throw failed('a file has another content', 200);
  await expectStatus(send, 200, path, { method: 'DELETE', token });
};

/** Signs in. Returns the access token. */
const signIn = async (send: Send, { email, password }: Person): Promise<string> => {
  const request = { method: 'POST', body: { email, password } };
  const answer = await expectStatus(send, 200, '/api/auth/login', request);
  return ((await answer.json()) as { accessToken: string }).accessToken;
};

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Lets Ctrl+C end a test after its account is removed. A second one ends the process at once. */
const listenForInterruption = (): Disposable & { readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of signals) process.once(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of signals) process.removeListener(name, stop);
    },
  };
};

/** @throws CommandError that says which account is left */
const remove = async (
  caretaker: Caretaker,
  id: number,
  email: string,
  address: string,
): Promise<void> => {
  try {
    // The test may be over because its time is.
    await caretaker.remove(id, createSender(address));
  } catch (cause) {
    throw new CommandError(
      `The smoke test’s user ${email} couldn’t be removed: ${(cause as Error).message} Delete it at /users.`,
      { cause },
    );
  }
};

/**
 * Tests a running service as a user: signs in, shares, opens, uploads and deletes. The account is removed in any case, and
 * with it what it has.
 * @throws CommandError for the first answer that is wrong
 */
export const testService = async (address: string, caretaker: Caretaker): Promise<void> => {
  using interruption = listenForInterruption();
  const send = createSender(address, interruption.signal);
  const person = createPerson();
  const id = await caretaker.create(person, send);
  if (typeof id === 'string') {
    print(`Smoke test skipped: ${id}.`);
    return;
  }
  let token: string;
  try {
    token = await signIn(send, person);
    const { status } = await send('/api/notifications/unread-count', { token });
    if (status === 403) {
      print('Smoke test skipped: users must verify their email addresses first.');
      return;
    }
    await checkShare(send, token);
    await checkFile(send, token);
  } finally {
    await remove(caretaker, id, person.email, address);
  }
  await expectStatus(send, 401, '/api/users/me', { token });
  print('Smoke test passed: sign in, share, open, upload, delete.');
};

/** Tests a deployed stage, unless one of its names isn’t in DNS yet, which is said. Returns whether it did. */
export const testStage = async (stage: string): Promise<boolean> => {
  const outputs = await readOutputs(stage);
  const missing = await listMissingNames(outputs);
  if (missing.length > 0) {
    for (const line of missing) print(line);
    const option = stage === 'prod' ? '' : ` -- --stage ${stage}`;
    print(`Smoke test skipped: run \`npm run smoke${option}\` once DNS has these names.`);
    return false;
  }
  await useRemembered(stage);
  process.env['TABLE_NAME'] = outputs.TableName;
  await testService(outputs.ServiceUrl, byTable);
  return true;
};

const usage = `Usage: npm run smoke -- [--url <address> | --stage <name> [--region <region>]]
Signs in, shares, opens, uploads and deletes as a user would, and leaves nothing behind. Your AWS credentials make the
user and remove it, whoever may register.
  --url <address>    a service, with an API token in HANDBILL_TOKEN, instead of a stage
${stageUsage}`;

/**
 * Runs `npm run smoke -- [--url <address> | --stage <name> [--region <region>]]`. With `--url` the account of the test is
 * made and deleted by an API token in HANDBILL_TOKEN.
 */
export const smoke = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, url: { type: 'string' } },
  });
  const { url } = values;
  if (url === undefined) {
    await testStage(chooseStage(values));
    return;
  }
  if (values.stage !== undefined) throw new CommandError('Set --url or --stage, not both.');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new CommandError(
      'Set --url to the address of the service, such as http://localhost:3000.',
    );
  }
  const token = process.env['HANDBILL_TOKEN'];
  if (!token)
    throw new CommandError('Set HANDBILL_TOKEN to an API token with users:* and files:*.');
  return testService(url, byToken(token));
};

if (import.meta.main) await run(smoke);
