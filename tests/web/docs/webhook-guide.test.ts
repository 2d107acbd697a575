import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSecret, signRequest } from '../../../functions/api/webhooks/record/signature.ts';
import { receiverExample } from '../../../functions/web/docs/guides/webhooks.ts';

const secret = createSecret();
const folder = mkdtempSync(join(tmpdir(), 'receiver-'));

let receiver: ChildProcess;
let url: string;
let said = '';

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

beforeAll(async () => {
  const path = join(folder, 'receiver.mjs');
  writeFileSync(path, receiverExample);
  const port = await findPort();
  url = `http://127.0.0.1:${port}`;
  receiver = spawn(process.execPath, [path], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await vi.waitFor(async () => expect(await post('', {})).toBe(401), 20_000);
});

afterAll(() => {
  receiver.kill();
  rmSync(folder, { recursive: true });
});

const body = JSON.stringify({
  type: 'share.opened',
  timestamp: '2026-11-21T12:00:00.000Z',
  data: {},
});

const post = async (text: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  (await fetch(url, { method: 'POST', body: text, headers })).status;

describe('the receiver of the guide', () => {
  it('takes what the service signs, by the secret and by the former one', async () => {
    const now = Date.now();
    const request = { id: 'evt_1', body, now };
    expect(await post(body, signRequest({ secret }, request))).toBe(204);
    const until = new Date(now + 1_000).toISOString();
    const renewed = { secret: createSecret(), formerSecret: { secret, until } };
    expect(await post(body, signRequest(renewed, { ...request, id: 'evt_2' }))).toBe(204);
    await expect.poll(() => said).toContain('evt_2 share.opened');
  });

  it('refuses what others send, what was changed and what is old', async () => {
    const now = Date.now();
    const request = { id: 'evt_3', body, now };
    const headers = signRequest({ secret }, request);
    expect(await post(`${body} `, headers)).toBe(401);
    expect(await post(body, { ...headers, 'webhook-id': 'evt_4' })).toBe(401);
    expect(await post(body, signRequest({ secret: createSecret() }, request))).toBe(401);
    expect(await post(body, signRequest({ secret }, { ...request, now: now - 600_000 }))).toBe(401);
    expect(await post(body, {})).toBe(401);
  });
});
