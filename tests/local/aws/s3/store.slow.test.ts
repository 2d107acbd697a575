import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type S3Engine, startS3 } from '../../../../infra/local/aws/s3/engine.ts';
import { clientOf, credentials, refusalOf, signedHeaders } from '../../../support/s3/local-s3.ts';

const Bucket = 'things';
const UPLOADS = '.uploads';
const MB = 1024 * 1024;

/** Creates the requests of a test to the S3 at this endpoint. */
const callsOf = (endpoint: string) => {
  const client = clientOf({ endpoint });
  const get = (Key: string) => client.send(new GetObjectCommand({ Bucket, Key }));
  return {
    createBucket: () => client.send(new CreateBucketCommand({ Bucket })),
    put: (Key: string, Body: string | Buffer, IfNoneMatch?: '*') =>
      client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          Metadata: { sha256: createHash('sha256').update(Body).digest('hex') },
          ...(IfNoneMatch && { IfNoneMatch }),
        }),
      ),
    get,
    text: async (key: string) => (await get(key)).Body?.transformToString(),
    keys: async (): Promise<string[]> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key = '' }) => Key);
    },
  };
};

let folder: string;
const open: S3Engine[] = [];
const start = async (path?: string) => {
  const engine = await startS3({ ...(path !== undefined && { path }), credentials });
  open.push(engine);
  return { engine, ...callsOf(engine.endpoint) };
};

const addressOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

const main = `
  import { startS3 } from ${addressOf('../../../../infra/local/aws/s3/engine.ts')};
  import { peakMemory } from ${addressOf('../../../support/run/peak-memory.ts')};
  const [, path, accessKeyId, secretAccessKey] = process.argv;
  const engine = await startS3({ path, credentials: async () => ({ accessKeyId, secretAccessKey }) });
  console.log(engine.endpoint);
  process.stdin.on('data', () => console.log(peakMemory()));
`;
const children: ChildProcess[] = [];
/** Starts an engine on the folder in a separate process. */
const startChild = async (path: string) => {
  const { accessKeyId, secretAccessKey } = await credentials();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', main, path, accessKeyId, secretAccessKey],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.push(child);
  const lines = createInterface(child.stdout);
  const [endpoint] = await once(lines, 'line');
  return {
    child,
    ...callsOf(endpoint),
    /** Maximum memory used, in KB. */
    async peakMemory(): Promise<number> {
      child.stdin.write('\n');
      const [line] = await once(lines, 'line');
      return Number(line);
    },
  };
};
const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 's3-test-'));
});

afterEach(async () => {
  await Promise.all([
    ...open.splice(0).map((engine) => engine.close()),
    ...children.splice(0).map(kill),
  ]);
  await rm(folder, { recursive: true });
});

describe('the folder and the port', () => {
  it('keep buckets, objects and their metadata', async () => {
    const path = join(folder, 'made', 'when missing');
    const first = await start(path);
    await first.createBucket();
    await first.put('kept', 'bytes ✓');
    const before = await first.get('kept');
    await first.engine.close();

    const second = await start(path);
    const after = await second.get('kept');
    expect(await after.Body?.transformToString()).toBe('bytes ✓');
    const { ETag, LastModified, Metadata } = before;
    expect(after).toMatchObject({ ETag, LastModified, Metadata });
  });

  it('accept local connections only', async () => {
    const { engine } = await start();
    expect(engine.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('are released after a port conflict', async () => {
    const { engine } = await start();
    const port = Number(new URL(engine.endpoint).port);
    await expect(startS3({ path: folder, port, credentials })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    expect(await readdir(join(folder, UPLOADS))).toEqual([]);
  });

  it('leave nothing behind without a configured folder', async () => {
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { engine } = await start();
    expect(await readdir(folder)).toHaveLength(1);
    await engine.close();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a key', () => {
  const keys = [
    '../../escape.txt',
    '..',
    'a/../b',
    './x',
    '/etc/passwd',
    '//',
    'a//b',
    'cors.json',
    `../${UPLOADS}/x`,
    '\0',
    'C:\\x',
    'P',
    'p',
    'p/q',
    'é',
    'e\u0301',
  ];

  it('accepts any text, and never becomes a path', async () => {
    const { createBucket, put, text, keys: list } = await start(join(folder, 's3'));
    await createBucket();
    for (const key of keys) await put(key, `of ${JSON.stringify(key)}`);
    for (const key of keys) expect(await text(key)).toBe(`of ${JSON.stringify(key)}`);
    expect((await list()).toSorted()).toEqual(keys.toSorted());
    expect(await readdir(folder)).toEqual(['s3']);
    expect((await readdir(join(folder, 's3'))).toSorted()).toEqual([UPLOADS, Bucket]);
    const files = await readdir(join(folder, 's3', Bucket));
    expect(files).toHaveLength(keys.length);
    for (const file of files) expect(file).toMatch(/^[\da-f]{64}$/);
  });
});

const halfUploaded = async (): Promise<string[]> => {
  const owners = await readdir(join(folder, UPLOADS));
  const files = await Promise.all(owners.map((owner) => readdir(join(folder, UPLOADS, owner))));
  return files.flat();
};

/** Opens a connection that sends only a part of its object. */
const uploadHalf = async ({ endpoint }: S3Engine, key: string): Promise<Socket> => {
  const { hostname, port, host } = new URL(endpoint);
  const headers = await signedHeaders('PUT', `${endpoint}/${Bucket}/${key}`);
  const lines = Object.entries({ host, 'content-length': '1000000', ...headers });
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `PUT /${Bucket}/${key} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\nhalf`,
  );
  await expect.poll(async () => (await halfUploaded()).length).toBe(1);
  return socket;
};

describe('an aborted upload', () => {
  it('leaves the old object and no temporary file', async () => {
    const { engine, createBucket, put, text, keys } = await start(folder);
    await createBucket();
    await put('object', 'old');
    const socket = await uploadHalf(engine, 'object');
    expect(await keys()).toEqual(['object']);
    socket.destroy();
    await expect.poll(async () => (await halfUploaded()).length).toBe(0);
    expect(await text('object')).toBe('old');
  });

  it('ends when the engine closes', async () => {
    const { engine, createBucket } = await start(folder);
    await createBucket();
    const socket = await uploadHalf(engine, 'object');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await Promise.all([engine.close(), engine.close()]);
    await ended;
    expect(await readdir(join(folder, UPLOADS))).toEqual([]);
    expect(await readdir(join(folder, Bucket))).toEqual([]);
  });
});

describe('a start', () => {
  it('removes only partial uploads of ended processes', async () => {
    const [gone, running] = [`${2 ** 22 + 1}-gone`, `${process.ppid}-running`];
    for (const name of [gone, `${process.pid}-before`, 'no-number', running]) {
      await mkdir(join(folder, UPLOADS, name), { recursive: true });
      await writeFile(join(folder, UPLOADS, name, 'half'), 'x');
    }
    const { engine } = await start(folder);
    const left = await readdir(join(folder, UPLOADS));
    expect(left.filter((name) => name !== running)).toEqual([
      expect.stringMatching(new RegExp(`^${process.pid}-(?!before)`)),
    ]);
    expect(left).toHaveLength(2);
    await engine.close();
    expect(await readdir(join(folder, UPLOADS))).toEqual([running]);
  });
});

describe('a killed process', () => {
  it('leaves each object old or new, and keeps all confirmed writes', async () => {
    const { child, createBucket, put } = await startChild(folder);
    await createBucket();
    const answered = new Map<string, number>();
    const bodyOf = (version: number) => randomBytes(200_000 + version);
    const writers = Array.from({ length: 8 }, async (_, index) => {
      for (let version = 1; ; version++) {
        await put(`replaced ${index}`, bodyOf(version));
        answered.set(`replaced ${index}`, version);
        await put(`new ${index} ${version}`, bodyOf(version), '*');
        answered.set(`new ${index} ${version}`, version);
      }
    });
    const ended = Promise.allSettled(writers);
    await expect.poll(() => answered.size, { interval: 1 }).toBeGreaterThan(60);
    await kill(child);
    await ended;

    const after = await start(folder);
    const keys = await after.keys();
    expect(keys).toEqual(expect.arrayContaining([...answered.keys()]));
    for (const key of keys) {
      const { Body, Metadata, ContentLength = 0 } = await after.get(key);
      const bytes = (await Body?.transformToByteArray()) ?? Buffer.alloc(0);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(Metadata?.['sha256']);
      expect(ContentLength).toBeGreaterThanOrEqual(200_000 + (answered.get(key) ?? 1));
    }
    const [own = '', ...others] = await readdir(join(folder, UPLOADS));
    expect(others).toEqual([]);
    expect(await readdir(join(folder, UPLOADS, own))).toEqual([]);
    const files = (await readdir(join(folder, Bucket))).length;
    expect(files).toBe(keys.length);
  });
});

describe('two processes on one folder', () => {
  it('see the same objects, and one wins a conditional write', async () => {
    const first = await start(folder);
    const second = await startChild(folder);
    await first.createBucket();
    await second.put('shared', 'x');
    expect(await first.text('shared')).toBe('x');
    for (let round = 0; round < 10; round++) {
      const results = await Promise.allSettled(
        [first, second, first, second].map(({ put }) => put(`race ${round}`, 'x', '*')),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
    expect(await refusalOf(second.put('race 0', 'y', '*'))).toMatchObject({ status: 412 });
  });
});

describe('a large object', () => {
  it('is streamed in both directions', async () => {
    const { createBucket, put, get, peakMemory } = await startChild(folder);
    await createBucket();
    const body = randomBytes(100 * MB);
    const before = await peakMemory();
    await put('large', body);
    const { Body } = await get('large');
    const hash = createHash('sha256');
    for await (const part of Body as Readable) hash.update(part);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
    expect(((await peakMemory()) - before) * 1024).toBeLessThan(80 * MB);
  });
});
