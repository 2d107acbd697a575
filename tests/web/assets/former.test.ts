import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import files from '../../../functions/web/assets/built/files.json' with { type: 'json' };
import { handler } from '../../../functions/web/assets/store/index.ts';
import { storeAssets, storedAssetKey } from '../../../functions/web/assets/store/stored-assets.ts';
import { findObject, loadBucket } from '../../../shared/storage/bucket.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';

useBucket();

const dayMs = 24 * 60 * 60 * 1_000;
const now = Date.parse('2026-03-01T12:00:00Z');
const later = (days: number): number => now + days * dayMs;

const script = (name: string): string => `/assets/scripts/${name}.js`;
const build = (...names: readonly string[]): ReadonlyMap<string, Uint8Array> =>
  new Map(names.map((name) => [script(name), Buffer.from(`// ${name}`)]));

const ask = (file: string) =>
  call('GET /assets/scripts/{file}', { params: { file: `${file}.js` } });
const textOf = async (file: string): Promise<string> => {
  const { status, headers, body } = await ask(file);
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  return Buffer.from(body, 'base64').toString();
};
const isStored = async (name: string): Promise<boolean> =>
  (await findObject(storedAssetKey(script(name)), { maxBytes: 1_000, timeoutMs: 5_000 })) !==
  undefined;

describe('assets of other builds', () => {
  it('are served for 30 days after their build was replaced, however old it was', async () => {
    await storeAssets(build('users.aaaaaaa1', 'shell.aaaaaaa1'), now);
    await storeAssets(build('users.aaaaaaa2', 'shell.aaaaaaa1'), later(100));
    expect(await textOf('users.aaaaaaa1')).toBe('// users.aaaaaaa1');
    expect(await textOf('users.aaaaaaa2')).toBe('// users.aaaaaaa2');
    await storeAssets(build('users.aaaaaaa3', 'shell.aaaaaaa1'), later(129));
    expect(await isStored('users.aaaaaaa1')).toBe(true);
    await storeAssets(build('users.aaaaaaa4', 'shell.aaaaaaa1'), later(130));
    const names = ['users.aaaaaaa1', 'users.aaaaaaa2', 'users.aaaaaaa4', 'shell.aaaaaaa1'];
    expect(await Promise.all(names.map(isStored))).toEqual([false, true, true, true]);
  });

  it('stay when a deployment is taken back or repeated', async () => {
    const [one, two] = [build('sales.bbbbbbb1'), build('sales.bbbbbbb2')];
    await storeAssets(one, now);
    await storeAssets(two, later(1));
    await storeAssets(one, later(1));
    await storeAssets(one, later(50));
    expect(await isStored('sales.bbbbbbb1')).toBe(true);
    expect(await isStored('sales.bbbbbbb2')).toBe(false);
    const { client } = await loadBucket();
    const send = vi.spyOn(client, 'send');
    onTestFinished(() => send.mockRestore());
    await storeAssets(one, later(51));
    expect(send.mock.calls.map(([command]) => command.constructor.name)).toEqual([
      'GetObjectCommand',
      'PutObjectCommand',
    ]);
  });

  it('are asked for by names of assets only, and a missing one once a minute', async () => {
    const { client } = await loadBucket();
    const send = vi.spyOn(client, 'send');
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => {
      vi.useRealTimers();
      send.mockRestore();
    });
    for (const name of ['users', 'index', '..%2Findex', 'a.b', `${'x'.repeat(81)}.aaaaaaa1`]) {
      expect((await ask(name)).status).toBe(404);
    }
    expect(send).toHaveBeenCalledTimes(0);
    const name = 'audit.ccccccc1';
    expect([(await ask(name)).status, (await ask(name)).status]).toEqual([404, 404]);
    expect(send).toHaveBeenCalledTimes(1);
    await storeAssets(build(name), now);
    vi.setSystemTime(now + 60_000);
    expect(await textOf(name)).toBe(`// ${name}`);
    send.mockClear();
    expect(await textOf(name)).toBe(`// ${name}`);
    expect(send).toHaveBeenCalledTimes(0);
    vi.setSystemTime(now + 120_000);
    for (let at = 1_000; at < 1_150; at++) await ask(`scanner.aaaa${at}`);
    expect(send).toHaveBeenCalledTimes(100);
  });
});

describe('the resource of assets', () => {
  /** Returns what CloudFormation is answered. */
  const request = async (RequestType: 'Create' | 'Update' | 'Delete') => {
    const answers: unknown[] = [];
    const server = createServer(async (incoming, response) => {
      expect(incoming.headers['content-type']).toBe(undefined);
      answers.push(JSON.parse(Buffer.concat(await incoming.toArray()).toString()));
      // The first attempt fails.
      response.writeHead(answers.length === 1 ? 503 : 200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l' };
    const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await handler({ RequestType, ResponseURL, ...ids });
    expect(answers).toEqual([answers[0], answers[0]]);
    return answers[0];
  };
  const answered = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l' };
  const success = { Status: 'SUCCESS', ...answered, PhysicalResourceId: 'assets' };

  it('stores the assets of this build, and leaves them when it is deleted', async () => {
    expect(await request('Create')).toEqual(success);
    expect(await request('Delete')).toEqual(success);
    for (const path of Object.keys(files)) {
      const bounds = { maxBytes: 1_000_000, timeoutMs: 5_000 };
      expect(await findObject(storedAssetKey(path), bounds), path).not.toBe(undefined);
    }
  });

  it('answers also if the bucket refuses', async () => {
    const { client } = await loadBucket();
    const refusal = Object.assign(new Error('No'), { name: 'AccessDenied' });
    const send = vi.spyOn(client, 'send').mockRejectedValue(refusal as never);
    onTestFinished(() => send.mockRestore());
    expect(await request('Update')).toEqual({
      ...success,
      Status: 'FAILED',
      Reason:
        'The assets couldn’t be stored in the bucket (AccessDenied). The function’s log says why; deploy again.',
    });
    expect(await request('Delete')).toEqual(success);
  });
});
