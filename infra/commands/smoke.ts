import { randomBytes } from 'node:crypto';
import * as users from '../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../shared/audit/audit-log.ts';
import type { Permission } from '../../shared/permissions/permissions.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/** The bounds of a request and of the whole test. ms. */
const requestMs = 10_000;
const totalMs = 60_000;

/** Who prepares the account of the test and deletes it afterwards. */
export interface Caretaker {
  /** Grants permissions that new users don't have. */
  allow(id: number, permissions: Permission[]): Promise<void>;
  /** Says that the account's address is proven, where users must verify theirs and the caretaker can. */
  prove?(id: number): Promise<void>;
  /** Removes the account with all it has. */
  remove(id: number): Promise<void>;
}

interface Request {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
}

/** The failure of a step, with what the service answered. */
const failed = (what: string, status: number | string): CommandError =>
  new CommandError(`Smoke test failed: ${what} (${status}).`);

/** Creates a function that sends requests to the service, within the time of the test. */
const createSender = (address: string) => {
  const end = AbortSignal.timeout(totalMs);
  return async (path: string, { method = 'GET', token, body }: Request = {}): Promise<Response> => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const content = isJson ? JSON.stringify(body) : (body as FormData | undefined);
    try {
      return await fetch(new URL(path, address), {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([end, AbortSignal.timeout(requestMs)]),
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(content !== undefined && { body: content }),
      });
    } catch (cause) {
      throw failed(`${method} ${path} got no answer`, (cause as Error).name);
    }
  };
};

type Send = ReturnType<typeof createSender>;

/** Sends a request and checks the status of the answer. */
const expectStatus = async (
  send: Send,
  status: number,
  path: string,
  request?: Request,
): Promise<Response> => {
  const response = await send(path, request);
  if (response.status !== status)
    throw failed(`${request?.method ?? 'GET'} ${path}`, response.status);
  return response;
};

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

/**
 * Tests a running service as a new user: registers, shares, opens, uploads and deletes. The account is removed in any
 * case, and with it what it has.
 * @throws CommandError for the first answer that is wrong
 */
export const testService = async (address: string, caretaker: Caretaker): Promise<void> => {
  const send = createSender(address);
  // An address of SES that accepts every email and delivers none.
  const email = `success+${randomBytes(9).toString('hex')}@simulator.amazonses.com`;
  const password = randomBytes(18).toString('base64url');
  const body = { name: 'Smoke test', email, password, confirmPassword: password };
  const registered = await send('/api/auth/register', { method: 'POST', body });
  const answer = (await registered.json().catch(() => ({}))) as {
    token: string;
    user: { id: number };
    error?: { message: string; details?: readonly { field: string }[] };
  };
  const isClosed =
    registered.status === 403 ||
    // ALLOWED_DOMAINS refuses the address of the test.
    answer.error?.details?.some(({ field }) => field === 'token' || field === 'email');
  if (isClosed) {
    print('Smoke test skipped: registration isn’t open.');
    return;
  }
  if (registered.status !== 201) throw failed('POST /api/auth/register', registered.status);
  const { token, user } = answer;
  try {
    await caretaker.prove?.(user.id);
    const { status } = await send('/api/notifications/unread-count', { token });
    if (status === 403) {
      print('Smoke test skipped: users must verify their email addresses first.');
      return;
    }
    await checkShare(send, token);
    await caretaker.allow(user.id, ['files:view', 'files:create', 'files:delete']);
    await checkFile(send, token);
  } finally {
    await caretaker.remove(user.id);
  }
  await expectStatus(send, 401, '/api/users/me', { token });
  print('Smoke test passed: register, share, open, upload, delete.');
};

/** Works on the table, with the AWS credentials of the person who deploys. */
const byTable: Caretaker = {
  allow: async (id, permissions) => {
    await users.update(
      id,
      () => ({ extraPermissions: permissions }),
      systemRecorder('user.update'),
    );
  },
  prove: async (id) => {
    const emailVerifiedAt = new Date().toISOString();
    await users.update(id, () => ({ emailVerifiedAt }), systemRecorder('user.update'));
  },
  remove: async (id) => {
    await users.removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
  },
};

const createCaretaker = (address: string, token: string): Caretaker => {
  const send = createSender(address);
  return {
    allow: async (id, permissions) => {
      const request = { method: 'PUT', token, body: { permissions } };
      await expectStatus(send, 200, `/api/users/${id}`, request);
    },
    remove: async (id) => {
      await expectStatus(send, 200, `/api/users/${id}`, { method: 'DELETE', token });
    },
  };
};

/** Tests a deployed stage. */
export const testStage = async (stage: string): Promise<void> => {
  const { ServiceUrl, TableName } = await readOutputs(stage);
  process.env['TABLE_NAME'] = TableName;
  await testService(ServiceUrl, byTable);
};

const usage = `Usage: npm run smoke -- [--url <address> | --stage <name> [--region <region>]]
Registers, shares, opens, uploads and deletes as a user would, and leaves nothing behind.
  --url <address>    a service, with an API token in HANDBILL_TOKEN, instead of a stage
${stageUsage}`;

/**
 * Runs `npm run smoke -- [--url <address> | --stage <name> [--region <region>]]`. With `--url` the account of the test is
 * prepared and deleted by an API token in HANDBILL_TOKEN.
 */
export const smoke = async (args: readonly string[]): Promise<void> => {
  const { values } = parseCommand(usage, {
    args,
    options: { ...stageOptions, url: { type: 'string' } },
  });
  const { url } = values;
  if (url === undefined) return testStage(chooseStage(values));
  if (values.stage !== undefined) throw new CommandError('Set --url or --stage, not both.');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new CommandError(
      'Set --url to the address of the service, such as http://localhost:3000.',
    );
  }
  const token = process.env['HANDBILL_TOKEN'];
  if (!token)
    throw new CommandError('Set HANDBILL_TOKEN to an API token with users:* and files:*.');
  return testService(url, createCaretaker(url, token));
};

if (import.meta.main) await run(smoke);
