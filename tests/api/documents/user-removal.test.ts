import { randomBytes } from 'node:crypto';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notifyReaders } from '../../../functions/api/documents/notify.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import {
  change,
  create,
  listed,
  look,
  made,
  newAuthor,
  newReader,
  restore,
  share,
  trash,
  trashed,
  unshare,
} from '../../support/documents/documents.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useJobs();
useBucket();
afterEach(() => {
  vi.useRealTimers();
});

let admin: Person;
beforeAll(async () => {
  admin = await newUserOf('super_admin', { name: 'Max Manager' });
});

const removeUser = async (id: number, transferTo?: number) => {
  const response = await call('DELETE /api/users/{id}', {
    token: admin.token,
    params: { id: String(id) },
    ...(transferTo !== undefined && { query: { transferTo: String(transferTo) } }),
  });
  expect(response.status).toBe(200);
};

/** Items that stay: the audit, rate limits and notifications of other users. */
const isKept = ({ pk, sk }: Record<string, unknown>) =>
  /^(AUDIT|LIMIT|TRANSFER)#/.test(String(pk)) || /^(NOTIFICATION|RECEIPT)#/.test(String(sk));

/** Returns the stored items that mention one of these, except those that stay. */
const tracesOf = async (...ids: readonly number[]) => {
  const found: unknown[] = [];
  const pages = paginateScan({ client: documentClient() }, { TableName: tableName() });
  for await (const { Items = [] } of pages) {
    found.push(
      ...Items.filter(
        (item) => !isKept(item) && ids.some((id) => JSON.stringify(item).includes(String(id))),
      ),
    );
  }
  return found;
};

/** Creates documents of every kind: private, shared, public, large and trashed. */
const makeAll = async (author: Person, reader: Person) => {
  const content = randomBytes(30_000).toString('base64');
  const ids = [
    await made(author, { title: 'Private', content: 'x' }),
    await made(author, { title: 'Shared', folder: 'F' }),
    await made(author, { title: 'For all', visibility: 'everyone', content }),
    await made(author, { title: 'Thrown away', content }),
  ] as const;
  await share(author, ids[1], [reader.id]);
  await share(author, ids[3], [reader.id]);
  await trash(author, ids[3]);
  return ids;
};

describe('DELETE /api/users/{id}', () => {
  it('deletes the user’s documents and removes the user from readers', async () => {
    const [ann, bob] = [await newAuthor(), await newAuthor()];
    const before = { all: await listed(admin), bobs: await listed(bob) };
    const ids = await makeAll(ann, bob);
    const bobs = await made(bob, { title: 'Of Bob' });
    await share(bob, bobs, [ann.id]);
    expect((await listed(ann)).ids).toContain(bobs);
    await removeUser(ann.id);
    for (const id of ids) expect((await look(admin, id)).status).toBe(404);
    expect(await listed(admin)).toEqual({
      ids: [bobs, ...before.all.ids],
      total: before.all.total + 1,
    });
    expect(await listed(bob)).toEqual({ ids: [bobs], total: before.bobs.total + 1 });
    expect((await look(bob, bobs)).body.data.sharedWith).toEqual([]);
    await minuteLater();
    expect(await tracesOf(ann.id, ...ids)).toEqual([]);
  });

  it('restores a trashed document without the removed reader', async () => {
    const [ann, bob] = [await newAuthor(), await newReader()];
    const id = await made(ann);
    await share(ann, id, [bob.id, admin.id]);
    await trash(ann, id);
    await removeUser(bob.id);
    expect((await restore(ann, id)).body.data.sharedWith).toEqual([admin.id]);
    expect(await itemsOf(`DOCUMENTS#SHARED#${bob.id}`)).toEqual([]);
  });

  it('drops the removed reader when a public document becomes private', async () => {
    const [ann, bob] = [await newAuthor(), await newReader()];
    const id = await made(ann);
    await share(ann, id, [bob.id, admin.id]);
    await change(ann, id, { visibility: 'everyone' });
    await removeUser(bob.id);
    await minuteLater();
    const response = await change(ann, id, { visibility: 'private' });
    expect(response.body.data.sharedWith).toEqual([admin.id]);
    expect(await tracesOf(bob.id)).toEqual([]);
  });

  it('transfers documents with their readers, also those in the trash', async () => {
    const [ann, bob, cid] = [await newAuthor(), await newAuthor('Bob Author'), await newReader()];
    const total = (await listed(admin)).total;
    const ids = await makeAll(ann, bob);
    await share(ann, ids[1], [cid.id]);
    await removeUser(ann.id, bob.id);
    expect(await listed(bob, { author: String(bob.id) })).toEqual({
      ids: [ids[2], ids[1], ids[0]],
      total: 3,
    });
    expect((await trashed(bob)).ids).toEqual([ids[3]]);
    expect((await look(bob, ids[1])).body.data).toMatchObject({
      author: { id: bob.id, name: 'Bob Author' },
      sharedWith: [cid.id],
    });
    expect((await look(bob, ids[2])).body.data.size).toBe(40_000);
    expect((await listed(cid)).ids).toEqual([ids[2], ids[1]]);
    expect((await restore(bob, ids[3])).status).toBe(200);
    expect((await listed(admin)).total).toBe(total + 4);
    expect((await listed(bob)).ids).toEqual([ids[3], ids[2], ids[1], ids[0]]);
    await minuteLater();
    expect(await tracesOf(ann.id)).toEqual([]);
  });

  it('deletes documents that are created and shared concurrently', async () => {
    const [ann, bob, reader] = [await newAuthor(), await newAuthor(), await newReader()];
    const bobs = await made(bob);
    const [, ...responses] = await Promise.all([
      removeUser(reader.id),
      share(bob, bobs, [reader.id]),
      removeUser(ann.id),
      create(ann),
      create(ann, { visibility: 'everyone' }),
    ]);
    const ids = responses.flatMap((response) =>
      response?.status === 201 ? [response.body.data.id] : [],
    );
    await minuteLater();
    expect(await tracesOf(ann.id, reader.id, ...ids)).toEqual([]);
  });
});

describe('notifications of sharing', () => {
  const notices = async ({ id }: Person) =>
    (await itemsOf(`USER#${id}`)).filter(({ sk }) => String(sk).startsWith('NOTIFICATION#'));

  it('notify each reader once, naming who shared it', async () => {
    const [ann, rea, rob, roy] = [
      await newAuthor(),
      await newReader(),
      await newReader(),
      await newReader(),
    ];
    const id = await made(ann, { title: 'Minutes of May' });
    await share(ann, id, [rea.id, rob.id]);
    await share(admin, id, [rea.id, roy.id]);
    await unshare(ann, id, [rob.id]);
    await minuteLater();
    const notice = {
      type: 'user',
      title: 'A document was shared with you',
      content: '“Minutes of May”',
      link: `/api/documents/${id}`,
      senderId: ann.id,
    };
    expect(await notices(rea)).toEqual([expect.objectContaining(notice)]);
    expect(await notices(rob)).toEqual([]);
    expect(await notices(roy)).toEqual([
      expect.objectContaining({ ...notice, senderId: admin.id }),
    ]);
    const sharing = { id, userIds: [rea.id], sharedBy: ann.id, sharedAt: '2026-11-21T12:00:00Z' };
    await notifyReaders(sharing);
    await notifyReaders(sharing);
    expect(await notices(rea)).toHaveLength(2);
  });

  it('are not sent for a document in the trash', async () => {
    const [ann, rea] = [await newAuthor(), await newReader()];
    const id = await made(ann);
    await share(ann, id, [rea.id]);
    await trash(ann, id);
    await minuteLater();
    expect(await notices(rea)).toEqual([]);
  });
});
