import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { loadBucket } from '../../../shared/storage/bucket.ts';
import {
  complete,
  erase,
  listed,
  look,
  made,
  madeFolder,
  newOwner,
  objectKeys,
  presign,
  purge,
  remove,
  sendForm,
  trashed,
  upload,
  usage,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import type { Answer } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const hourMs = 3_600_000;

beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '2d');
  return () => {
    vi.unstubAllEnvs();
  };
});
const { ann } = useNewPeople({ ann: newOwner });
afterEach(() => {
  vi.restoreAllMocks();
});

type Kind = Parameters<typeof instead>[1];

const away = Object.assign(new Error('connect ECONNREFUSED'), { $metadata: { attempts: 3 } });

/** Lets the first command of this kind fail, sent or not. */
const fail = async (kind: Kind, { isSent = false } = {}) => {
  const client = kind === TransactWriteCommand ? documentClient() : (await loadBucket()).client;
  instead(client, kind, async (go) => {
    if (isSent) await go();
    throw away;
  });
};

const busy = { status: 503, headers: { 'retry-after': '1' } };
const busyAnswer = ({ status, headers }: Answer) => ({
  status,
  headers: { 'retry-after': headers['retry-after'] },
});

/** There is nothing of a file: none is listed, nothing is counted, and no object is left once the sweeps are through. */
const expectNothing = async () => {
  expect(await listed(ann)).toEqual({ ids: [], total: 0 });
  expect(await usage(ann)).toMatchObject({ used: 0, files: 0 });
  pass(8 * hourMs);
  await runMinute();
  expect(await itemsOf('DELETIONS')).toEqual([]);
  expect(await objectKeys()).toEqual([]);
};

describe('upload through the API', () => {
  it.each([
    ['S3 is away', PutObjectCommand, false],
    ['the answer of S3 is lost', PutObjectCommand, true],
    ['the table takes no record', TransactWriteCommand, false],
  ])('leaves nothing if %s', async (_, kind, isSent) => {
    await fail(kind, { isSent });
    expect(busyAnswer(await upload(ann))).toEqual(busy);
    await expectNothing();
  });

  it('stores one file if the response of the table is lost and the request repeated', async () => {
    const key = { 'idempotency-key': 'lost' };
    await fail(TransactWriteCommand, { isSent: true });
    const first = await upload(ann, 'Hello', {}, key);
    // The record marks the key as used: the very first answer can tell of it.
    expect(first.status).toBe(201);
    vi.restoreAllMocks();
    expect((await upload(ann, 'Hello', {}, key)).body.data.id).toBe(first.body.data.id);
    expect(await listed(ann)).toEqual({ ids: [first.body.data.id], total: 1 });
    await erase(ann, first.body.data.id);
    await expectNothing();
  });
});

describe('upload through the API, rejected after storing the object', () => {
  /** Does something between the storing of the bytes and the record of the next upload. */
  const meanwhile = async (act: () => Promise<unknown>) => {
    instead((await loadBucket()).client, PutObjectCommand, async (go) => {
      const stored = await go();
      await act();
      return stored;
    });
  };

  it('leaves no object if the quota was used up concurrently', async () => {
    vi.stubEnv('FILES_QUOTA', '1KB');
    let other = 0;
    await meanwhile(async () => {
      other = await made(ann, {}, 'x'.repeat(600));
    });
    expect((await upload(ann, 'y'.repeat(600))).status).toBe(413);
    vi.stubEnv('FILES_QUOTA', '1GB');
    expect(await objectKeys()).toHaveLength(1);
    await erase(ann, other);
    await expectNothing();
  });

  it('leaves no object if the folder was deleted concurrently', async () => {
    const folder = await madeFolder(ann, 'Gone');
    await meanwhile(() => remove(ann, folder));
    expect((await upload(ann, 'Hello', { folder: 'Gone' })).status).toBe(400);
    expect(await objectKeys()).toEqual([]);
    await expectNothing();
  });

  it('leaves no object of a concurrent duplicate request', async () => {
    const key = { 'idempotency-key': 'twice' };
    const responses = await Promise.all([
      upload(ann, 'Hello', {}, key),
      upload(ann, 'Hello', {}, key),
    ]);
    const id = responses.find(({ status }) => status === 201)?.body.data.id;
    expect(await objectKeys()).toHaveLength(1);
    await erase(ann, id);
    await expectNothing();
  });
});

describe('direct upload', () => {
  const begin = async () => {
    const { body } = await presign(ann, { size: 5 });
    expect(await sendForm(body.data, 'Hello')).toBe(201);
    return body.data.id as number;
  };

  it.each([
    ['S3 is away at first', HeadObjectCommand, false],
    ['the copy fails', CopyObjectCommand, false],
    ['the answer to the copy is lost', CopyObjectCommand, true],
    ['the copy can not be read', GetObjectCommand, false],
    ['the table takes no record', TransactWriteCommand, false],
  ])('is completed by the next request if %s', async (_, kind, isSent) => {
    const id = await begin();
    await fail(kind, { isSent });
    expect(busyAnswer(await complete(ann, id))).toEqual(busy);
    expect((await look(ann, id)).status).toBe(404);
    expect((await listed(ann)).total).toBe(0);
    vi.restoreAllMocks();
    expect((await complete(ann, id)).status).toBe(200);
    expect(await usage(ann)).toMatchObject({ used: 5, files: 1 });
    pass(8 * hourMs);
    await runMinute();
    expect(await objectKeys()).toHaveLength(1);
    await erase(ann, id);
    await expectNothing();
  });

  it('returns the file if the response of the table is lost', async () => {
    const id = await begin();
    await fail(TransactWriteCommand, { isSent: true });
    const { status, body } = await complete(ann, id);
    expect([status, body.data]).toMatchObject([200, { id, version: 2 }]);
    vi.restoreAllMocks();
    expect((await complete(ann, id)).body).toEqual(body);
    await erase(ann, id);
    await expectNothing();
  });

  it('completes if deleting the uploaded object fails', async () => {
    const id = await begin();
    await fail(DeleteObjectCommand);
    expect((await complete(ann, id)).status).toBe(200);
    await erase(ann, id);
    await expectNothing();
  });

  it('reserves nothing if the table rejects the write', async () => {
    await fail(TransactWriteCommand);
    expect(busyAnswer(await presign(ann, { size: 5 }))).toEqual(busy);
    await expectNothing();
  });
});

describe('DELETE /api/files/trash/{id}', () => {
  const objectOf = async (id: number): Promise<string> =>
    String((await itemsOf(`FILE#${id}`))[0]?.['object']);
  const madeInTrash = async (): Promise<number> => {
    const id = await made(ann);
    expect((await remove(ann, id)).status).toBe(200);
    return id;
  };

  it('returns 503 and hides the file if its object can’t be deleted; a repeated request finishes', async () => {
    const id = await madeInTrash();
    const object = await objectOf(id);
    await fail(DeleteObjectCommand);
    const response = await purge(ann, id);
    expect(busyAnswer(response)).toEqual(busy);
    expect(response.body.error.message).toBe(
      'The file is no longer available, but its content is not deleted yet. Repeat the request.',
    );
    expect(await textOf(object)).toBe('Hello');
    expect((await look(ann, id)).status).toBe(404);
    expect((await trashed(ann)).total).toBe(0);
    vi.restoreAllMocks();
    expect((await purge(ann, id)).status).toBe(200);
    expect(await textOf(object)).toBeUndefined();
    expect((await purge(ann, id)).status).toBe(404);
    expect(await itemsOf(`FILE#${id}`)).toEqual([]);
    await expectNothing();
  });

  it('is finished by the scheduled run', async () => {
    const id = await madeInTrash();
    const object = await objectOf(id);
    await fail(DeleteObjectCommand);
    await purge(ann, id);
    vi.restoreAllMocks();
    pass(60_000);
    await runMinute();
    expect(await textOf(object)).toBeUndefined();
    expect((await purge(ann, id)).status).toBe(200);
  });

  it('changes nothing if the table rejects the write', async () => {
    const id = await madeInTrash();
    await fail(TransactWriteCommand);
    expect(busyAnswer(await purge(ann, id))).toEqual(busy);
    vi.restoreAllMocks();
    expect((await trashed(ann)).ids).toEqual([id]);
    expect(await textOf(await objectOf(id))).toBe('Hello');
    expect((await purge(ann, id)).status).toBe(200);
  });
});
