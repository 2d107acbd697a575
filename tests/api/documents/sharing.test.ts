import { beforeAll, describe, expect, it } from 'vitest';
import { permissions } from '../../../shared/permissions/permissions.ts';
import {
  change,
  listed,
  look,
  made,
  newAuthor,
  newManager,
  newReader,
  purge,
  restore,
  share,
  trash,
  trashed,
  unshare,
} from '../../support/documents/documents.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();

let ann: Person;
let bob: Person;
let manager: Person;
beforeAll(async () => {
  ann = await newAuthor();
  bob = await newAuthor('Bob Author');
  manager = await newManager();
});

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

describe('POST /api/documents/{id}/share and /unshare', () => {
  it('lets the given users view a document until it is unshared', async () => {
    const [rea, rob] = [await newReader(), await newReader()];
    const id = await made(ann, { content: 'For some' });
    expect(await look(rea, id)).toMatchObject(missing);
    const shared = await share(ann, id, [rea.id, rob.id, rea.id, ann.id]);
    expect(shared).toMatchObject({
      status: 200,
      body: { message: 'Shared', data: { sharedWith: [rea.id, rob.id], version: 2 } },
    });
    expect(shared.body.data).not.toHaveProperty('content');
    expect((await look(rea, id)).body.data).toMatchObject({
      content: 'For some',
      sharedWith: [rea.id],
      author: { id: ann.id, name: 'Ann Author' },
    });
    expect((await share(ann, id, [rea.id])).body.data.version).toBe(2);
    expect(await listed(rea)).toEqual({ ids: [id], total: 1 });
    const left = await unshare(ann, id, [rea.id, 12345]);
    expect(left.body.data).toMatchObject({ sharedWith: [rob.id], version: 3 });
    expect((await unshare(ann, id, [rea.id])).body.data.version).toBe(3);
    expect(await look(rea, id)).toMatchObject(missing);
    expect(await listed(rea)).toEqual({ ids: [], total: 0 });
    expect(await listed(rob)).toEqual({ ids: [id], total: 1 });
  });

  it('accepts up to 20 users, in one transaction with other changes', async () => {
    const title = Array.from({ length: 25 }, (_, at) => `word${at}`).join(' ');
    const others = Array.from({ length: 25 }, (_, at) => `else${at}`).join(' ');
    const id = await made(ann, { title, content: 'x', folder: 'One' });
    const readers = await Promise.all(Array.from({ length: 21 }, () => newReader()));
    const ids = readers.map((reader) => reader.id);
    expect((await share(ann, id, ids)).status).toBe(400);
    expect((await share(ann, id, ids.slice(0, 20))).status).toBe(200);
    expect(await share(ann, id, ids.slice(20))).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'userIds', message: expect.stringContaining('20') }] } },
    });
    const everything = { title: others, content: 'y', folder: 'Two', visibility: 'everyone' };
    expect((await change(ann, id, everything)).status).toBe(200);
    expect(await listed(readers[0] as Person)).toEqual({ ids: [id], total: 1 });
    const back = { title, content: 'z', folder: 'One', visibility: 'private' };
    expect((await change(ann, id, back)).status).toBe(200);
    expect((await trash(ann, id)).status).toBe(200);
    expect(await listed(readers[0] as Person)).toEqual({ ids: [], total: 0 });
    expect((await restore(ann, id)).status).toBe(200);
    expect(await listed(readers[19] as Person)).toEqual({ ids: [id], total: 1 });
    expect(await listed(readers[20] as Person)).toEqual({ ids: [], total: 0 });
  });

  it.each([
    [undefined, 'userIds', 'is required'],
    [[], 'userIds', 'must contain at least one user'],
    [['x'], 'userIds.0', 'must be the id of a user'],
    [[0], 'userIds.0', 'must be the id of a user'],
    [[12345], 'userIds', 'contains unknown users: 12345'],
  ])('rejects %j for %s', async (userIds, field, message) => {
    const id = await made(ann);
    const response = await share(ann, id, userIds);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
    expect((await look(ann, id)).body.data).toMatchObject({ sharedWith: [], version: 1 });
  });

  it('checks If-Match', async () => {
    const rea = await newReader();
    const id = await made(ann);
    const stale = { 'if-match': (await look(ann, id)).headers['etag'] ?? '' };
    expect((await share(ann, id, [rea.id], stale)).status).toBe(200);
    for (const act of [share, unshare]) {
      expect((await act(ann, id, [rea.id], stale)).status).toBe(412);
    }
    expect((await trash(ann, id, stale)).status).toBe(412);
    expect((await trash(ann, id, { 'if-match': '*' })).status).toBe(200);
    expect((await restore(ann, id, stale)).status).toBe(412);
    expect((await purge(ann, id, stale)).status).toBe(412);
  });
});

describe('access of others', () => {
  it('returns 404 for changes, also to readers', async () => {
    const secret = await made(ann);
    const shared = await made(ann);
    await share(ann, shared, [bob.id]);
    const open = await made(ann, { visibility: 'everyone' });
    for (const id of [secret, shared, open, 12345]) {
      const responses = [
        await change(bob, id, { title: 'Mine' }),
        await trash(bob, id),
        await share(bob, id, [bob.id]),
        await unshare(bob, id, [ann.id]),
        await restore(bob, id),
        await purge(bob, id),
      ];
      for (const response of responses) {
        expect(response).toMatchObject(missing);
        expect(response.body.error.message).toBe('Document not found.');
      }
    }
    for (const id of [shared, open]) expect((await look(bob, id)).status).toBe(200);
    expect((await look(ann, secret)).body.data.version).toBe(1);
  });

  it('lets managers change all documents and keeps the author', async () => {
    const id = await made(ann, { content: 'Mine' });
    expect((await change(manager, id, { title: 'Managed' })).body.data).toMatchObject({
      title: 'Managed',
      content: 'Mine',
      author_id: ann.id,
      author: { name: 'Ann Author' },
    });
    expect((await trash(manager, id)).status).toBe(200);
    expect((await trashed(ann)).ids).toContain(id);
    expect((await trashed(manager)).ids).not.toContain(id);
    expect((await restore(manager, id)).body.data.author_id).toBe(ann.id);
    expect((await look(ann, id)).status).toBe(200);
  });

  it.each([
    ['GET /api/documents', 'view'],
    ['GET /api/documents/trash', 'view'],
    ['GET /api/documents/{id}', 'view'],
    ['POST /api/documents', 'create'],
    ['PUT /api/documents/{id}', 'update'],
    ['POST /api/documents/{id}/share', 'update'],
    ['POST /api/documents/{id}/unshare', 'update'],
    ['DELETE /api/documents/{id}', 'delete'],
    ['POST /api/documents/{id}/restore', 'delete'],
    ['DELETE /api/documents/trash/{id}', 'delete'],
  ])('rejects %s without documents:%s before checking the id', async (endpoint, action) => {
    const extraPermissions = permissions.filter(
      (one) => one.startsWith('documents:') && one !== `documents:${action}`,
    );
    const { token } = await newUserOf('guest', { extraPermissions });
    const response = await call(endpoint, { token, params: { id: 'x' }, body: '{' });
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});
