import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import type { Client } from '../../../functions/web/browser/client/client.ts';
import type { WithProgress } from '../../../functions/web/browser/client/progress.ts';
import * as transport from '../../../functions/web/browser/client/transport.ts';
import { createUpload } from '../../../functions/web/browser/client/upload.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { signInTo } from '../../support/client/signed-in.ts';
import { listed, newOwner, usage } from '../../support/files/files.ts';
import { useServer } from '../../support/run/server.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-23T10:00:00Z');
useTable();
useBucket();
const gateway = useServer(createGateway(listGroups('service'), () => undefined));

let ann: Person;
let client: Client;
/** Method and path of each request, those to S3 included. */
let sent: string[];
/** Requests to lose: their patterns, each once. */
let lost: RegExp[];
/** Whether S3 can be reached. */
let isStorageAway: boolean;

const pathOf = (input: unknown, init: RequestInit | undefined): string => {
  const { origin, pathname } = new URL(String(input));
  const path = origin === gateway.origin ? pathname.replace(/\d{6,}/, '{id}') : 'S3';
  return `${init?.method} ${path}`;
};

const network: typeof fetch = async (input, init) => {
  const path = pathOf(input, init);
  sent.push(path);
  init?.signal?.throwIfAborted();
  if (path.endsWith('S3') && isStorageAway) throw new TypeError('fetch failed');
  const response = await fetch(input, init);
  const at = lost.findIndex((pattern) => pattern.test(path));
  if (at < 0) return response;
  lost.splice(at, 1);
  await response.text();
  throw new TypeError('The connection was closed');
};

const withProgress: WithProgress = (onProgress) => async (input, init) => {
  onProgress(0.5);
  return network(input, init);
};

beforeEach(async () => {
  ann = await newOwner();
  client = signInTo(gateway.origin, ann, network);
  [sent, lost, isStorageAway] = [[], [], false];
  vi.spyOn(transport, 'sleep').mockResolvedValue();
  return () => {
    vi.restoreAllMocks();
  };
});

const fileOf = (text = 'Hello', name = 'Greeting.txt') => new File([text], name);
const prepare = (file = fileOf(), folder = '') =>
  createUpload(client, file, { folder, withProgress });

const whole = ['POST /api/files/presign', 'POST S3', 'POST /api/files/{id}/complete'];

const contentOf = async (id: number): Promise<string> => {
  const found = await client.call('GET /api/files/{id}/download', { params: { id } });
  return (await fetch(found?.url ?? '')).text();
};

const usedBytes = async (): Promise<number> => (await usage(ann)).used;

describe('an upload', () => {
  it('sends a file to S3 and reports its progress', async () => {
    const parts: number[] = [];
    const { id, name, size } = await prepare().run({ onProgress: (part) => parts.push(part) });
    expect({ name, size }).toEqual({ name: 'Greeting.txt', size: 5 });
    expect(sent).toEqual(whole);
    expect(parts).toEqual([0.5, 1]);
    expect(await contentOf(id)).toBe('Hello');
  });

  it('goes into a folder', async () => {
    await client.call('POST /api/files/folders', { body: { name: 'Photos' } });
    expect(await prepare(fileOf(), 'Photos').run()).toMatchObject({ folder: 'Photos' });
  });

  it('continues where it failed, and stores the file once', async () => {
    const upload = prepare();
    isStorageAway = true;
    const large = createUpload(client, fileOf('x'.repeat(4 * 1024 ** 2 + 1)), { withProgress });
    await expect(large.run()).rejects.toMatchObject({
      status: 0,
      message: 'Upload failed. Check your connection and try again.',
    });
    isStorageAway = false;
    sent = [];
    const { id } = await large.run();
    expect(sent).toEqual(whole.slice(1));
    sent = [];
    lost = [/presign/, /complete/];
    const second = await upload.run();
    expect(sent).toEqual([whole[0], whole[0], whole[1], whole[2], whole[2]]);
    expect((await listed(ann)).ids.toSorted()).toEqual([id, second.id].toSorted());
  });

  it('goes through the API if S3 can’t be reached and the file is small', async () => {
    isStorageAway = true;
    const parts: number[] = [];
    const { id, name } = await prepare().run({ onProgress: (part) => parts.push(part) });
    expect(name).toBe('Greeting.txt');
    expect(sent).toEqual([
      'POST /api/files/presign',
      'POST S3',
      'DELETE /api/files/{id}',
      'POST /api/files/upload',
    ]);
    expect((await listed(ann)).ids).toEqual([id]);
    expect(await contentOf(id)).toBe('Hello');
    expect(await usedBytes()).toBe(5);
  });

  it('is aborted at once, and canceled to free its storage', async () => {
    const controller = new AbortController();
    const upload = prepare();
    const onProgress = () => controller.abort(new Error('canceled'));
    await expect(upload.run({ onProgress, signal: controller.signal })).rejects.toThrow('canceled');
    expect(sent).toEqual(whole.slice(0, 2));
    await upload.cancel();
    await upload.cancel();
    expect(sent.slice(2)).toEqual(['DELETE /api/files/{id}']);
    expect(await usedBytes()).toBe(0);
    expect((await listed(ann)).ids).toEqual([]);
  });

  it('asks for a new form when the old one has expired', async () => {
    const upload = prepare();
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    await expect(upload.run({ onProgress, signal: controller.signal })).rejects.toThrow();
    pass(14 * 60_000 + 31_000);
    sent = [];
    await upload.run();
    expect(sent.filter((path) => !path.includes('refresh'))).toEqual([
      'DELETE /api/files/{id}',
      ...whole,
    ]);
    expect((await listed(ann)).ids).toHaveLength(1);
  });

  it('sends the file again if S3 doesn’t have it', async () => {
    const upload = prepare();
    const skip: WithProgress = () => async () => new Response(null, { status: 204 });
    let isSkipped = true;
    const flaky = createUpload(client, fileOf(), {
      withProgress: (onProgress) => (isSkipped ? skip : withProgress)(onProgress),
    });
    await expect(flaky.run()).rejects.toMatchObject({ status: 409 });
    isSkipped = false;
    sent = [];
    await flaky.run();
    expect(sent).toEqual(whole.slice(1));
    await upload.cancel();
  });

  it('reports what S3 refuses and what the API refuses', async () => {
    const refusing: WithProgress = () => async () => new Response('<Error/>', { status: 403 });
    const refused = createUpload(client, fileOf(), { withProgress: refusing });
    await expect(refused.run()).rejects.toMatchObject({
      status: 403,
      message: 'The upload was rejected. Try again.',
    });
    await expect(prepare(fileOf('', 'a/b')).run()).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'name' }],
    });
  });

  it('reports a file that has changed since it was chosen', async () => {
    const file = fileOf();
    vi.spyOn(file, 'slice').mockReturnValue({
      arrayBuffer: () => Promise.reject(new Error('NotReadableError')),
    } as unknown as Blob);
    await expect(prepare(file).run()).rejects.toMatchObject({ status: 0, code: 'FILE_CHANGED' });
    expect(sent).toEqual([]);
  });

  it('frees storage that was reserved by a request without an answer', async () => {
    const stopped = new AbortController();
    const upload = createUpload(
      signInTo(gateway.origin, ann, async (input, init) => {
        const response = await network(input, init);
        if (sent.length === 1) stopped.abort();
        return response;
      }),
      fileOf(),
      { withProgress },
    );
    await expect(upload.run({ signal: stopped.signal })).rejects.toThrow('abort');
    expect(await usedBytes()).toBe(5);
    await upload.cancel();
    expect(await usedBytes()).toBe(0);
    expect((await listed(ann)).ids).toEqual([]);
  });
});
