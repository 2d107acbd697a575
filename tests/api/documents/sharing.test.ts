import { describe, expect, it } from 'vitest';
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
} from '../../support/documents/documents.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { ann, bob, manager } = usePeople({
  ann: newAuthor,
  bob: () => newAuthor('Bob Owner'),
  manager: newManager,
});

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

describe('POST /api/documents/{id}/share', () => {
  it('accepts up to 20 users, in one transaction with other changes', async () => {
    const title = Array.from({ length: 25 }, (_, at) => `word${at}`).join(' ');
    const others = Array.from({ length: 25 }, (_, at) => `else${at}`).join(' ');
    const id = await made(ann, { title, content: 'x', folder: 'One' });
    const readers = await Promise.all(Array.from({ length: 20 }, () => newReader()));
    const ids = readers.map((reader) => reader.id);
    expect((await share(ann, id, ids)).status).toBe(200);
    expect((await look(readers[0] as Person, id)).body.data).toMatchObject({
      content: 'x',
      author: { id: ann.id, name: 'Ann Owner' },
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
  });
});

describe('GET /api/documents/{id}/readers', () => {
  const readers = (person: Person, id: number) =>
    call('GET /api/documents/{id}/readers', { token: person.token, params: { id: String(id) } });

  it('names those it is shared with to its author and to managers, and to no reader', async () => {
    const id = await made(ann);
    expect((await readers(ann, id)).body.data).toEqual([]);
    const [first, second] = [await newReader(), await newReader()];
    await share(ann, id, [second.id, first.id]);
    const named = [second, first].map((reader) => ({
      id: reader.id,
      name: expect.any(String),
      avatar: null,
      role: 'reader',
      isEditing: false,
    }));
    expect((await readers(ann, id)).body.data).toEqual(named);
    expect((await readers(manager, id)).body.data).toEqual(named);
    expect(await readers(bob, id)).toMatchObject(missing);
    expect((await readers(first, id)).status).toBe(403);
    await trash(ann, id);
    expect(await readers(ann, id)).toMatchObject(missing);
  });
});

describe('access of others', () => {
  it('returns 404 for restoring and purging, also to readers', async () => {
    const id = await made(ann);
    await share(ann, id, [bob.id]);
    const others = async () => [await restore(bob, id), await purge(bob, id)];
    for (const response of await others()) expect(response).toMatchObject(missing);
    await trash(ann, id);
    for (const response of await others()) {
      expect(response).toMatchObject(missing);
      expect(response.body.error.message).toBe('Document not found.');
    }
    expect((await trashed(ann)).ids).toContain(id);
  });

  it('lets managers change all documents and keeps the author', async () => {
    const id = await made(ann, { content: 'Mine' });
    expect((await change(manager, id, { title: 'Managed' })).body.data).toMatchObject({
      title: 'Managed',
      content: 'Mine',
      author_id: ann.id,
      author: { name: 'Ann Owner' },
    });
    expect((await trash(manager, id)).status).toBe(200);
    expect((await trashed(ann)).ids).toContain(id);
    expect((await trashed(manager)).ids).not.toContain(id);
    expect((await restore(manager, id)).body.data.author_id).toBe(ann.id);
    expect((await look(ann, id)).status).toBe(200);
  });
});
