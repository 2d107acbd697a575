import { describe, expect, it } from 'vitest';
import {
  change,
  create,
  listed,
  listTrash,
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
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import type { Answer } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const { ann, bob, manager } = usePeople({
  ann: newAuthor,
  bob: () => newAuthor('Bob Owner'),
  manager: newManager,
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /api/documents', () => {
  it('creates a document and returns it with its content', async () => {
    const { status, body, headers } = await create(ann, {
      title: ' Minutes of May ',
      content: 'We met.\r\n👋',
      type: 'minutes',
      folder: 'Board',
      tags: ['board', 'may', 'board'],
      visibility: 'everyone',
      id: 7,
      author_id: 7,
      sharedWith: [],
      size: 7,
      version: 7,
    });
    const { data } = body;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Created',
        data: {
          id: expect.any(Number),
          title: 'Minutes of May',
          name: 'Minutes of May',
          content: 'We met.\r\n👋',
          type: 'minutes',
          folder: 'Board',
          tags: ['board', 'may'],
          size: 13,
          author_id: ann.id,
          author: { id: ann.id, name: 'Ann Owner', avatar: null },
          visibility: 'everyone',
          everyoneRole: 'reader',
          sharedWith: [],
          actions: ['edit', 'manage', 'delete'],
          editedBy: { id: ann.id, name: 'Ann Owner', avatar: null },
          editedAt: data.created_at,
          editing: [],
          version: 1,
          created_at: time,
          updated_at: time,
          createdAt: data.created_at,
          updatedAt: data.created_at,
        },
      },
    });
    expect(headers['etag']).toMatch(/^"1-/);
    expect((await look(ann, data.id)).body.data).toEqual(data);
    await trash(ann, data.id);
  });

  it('accepts only `title` or `name`, and null for other fields', async () => {
    const bare = { content: null, type: 'text', folder: null, tags: [], size: 0 };
    const nulls = { content: null, type: null, folder: null, tags: null, visibility: null };
    for (const body of [
      { folder: '  ' },
      { title: undefined, name: 'T' },
      { name: 'T', title: 'T' },
      nulls,
    ]) {
      const response = await create(ann, { title: 'T', ...body });
      expect(response.body.data).toMatchObject({
        title: 'T',
        name: 'T',
        visibility: 'private',
        ...bare,
      });
      await trash(ann, response.body.data.id);
    }
  });

  it.each([
    [{ title: undefined }, 'title', 'is required'],
    [{ title: null, name: null }, 'title', 'is required'],
    [{ title: '' }, 'title', 'must not be empty'],
    [{ title: ' \n ' }, 'title', 'must not be empty'],
    [{ title: 'x'.repeat(201) }, 'title', 'must be at most 200 characters'],
    [{ title: 'a\u202eb' }, 'title', 'must not contain bidirectional control characters'],
    [{ title: 'a\ud800' }, 'title', 'must be well-formed Unicode'],
    [{ name: 'Another' }, 'name', 'must equal title'],
    [{ title: 7 }, 'title', expect.any(String)],
    [{ content: 7 }, 'content', expect.any(String)],
    [{ content: 'a\udc00' }, 'content', 'must be well-formed Unicode'],
    [{ tags: ['x', ''] }, 'tags.1', 'must not be empty'],
    [{ tags: Array.from({ length: 21 }, String) }, 'tags', 'must contain at most 20 tags'],
    [{ visibility: 'public' }, 'visibility', 'must be one of private, everyone'],
    [{ folder: 'x'.repeat(101) }, 'folder', 'must be at most 100 characters'],
    [{ folder: 'a\u2066b' }, 'folder', 'must not contain bidirectional control characters'],
  ])('rejects %j for %s', async (body, field, message) => {
    const response = await create(ann, body);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
  });
});

describe('PUT /api/documents/{id}', () => {
  it('changes only the fields that are sent', async () => {
    const id = await made(ann, { content: 'One', folder: 'F', tags: ['a'], type: 'note' });
    const { data: before } = (await look(ann, id)).body;
    const renamed = await change(ann, id, { name: 'Renamed' });
    expect(renamed.body).toEqual({
      success: true,
      message: 'Saved',
      data: {
        ...before,
        title: 'Renamed',
        name: 'Renamed',
        version: 2,
        updated_at: time,
        updatedAt: time,
      },
    });
    expect(renamed.headers['etag']).toMatch(/^"2-/);
    const { data } = (await change(ann, id, { content: 'Two!', visibility: 'everyone' })).body;
    expect(data).toMatchObject({
      title: 'Renamed',
      content: 'Two!',
      size: 4,
      version: 3,
      folder: 'F',
    });
    const cleared = {
      content: null,
      folder: null,
      tags: null,
      type: null,
      visibility: null,
    };
    expect((await change(ann, id, cleared)).body.data).toMatchObject({
      title: 'Renamed',
      content: null,
      size: 0,
      folder: null,
      tags: [],
      type: 'text',
      visibility: 'private',
    });
    expect((await look(ann, id)).body.data).toMatchObject({ content: null, version: 4 });
    expect((await itemsOf(`DOCUMENT#${id}`)).map(({ sk }) => sk)).toEqual(['DOCUMENT']);
  });

  it('never restores a concurrently deleted document, 60 times', async () => {
    const before = [await listed(ann), await trashed(ann)];
    const outcomes = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const ids = await Promise.all(Array.from({ length: 10 }, () => made(ann)));
      await Promise.all(
        ids.map(async (id) => {
          // A look beforehand gives the other one a start.
          const late = (act: () => Promise<Answer>) => look(ann, id).then(act);
          const put = () => change(ann, id, { title: 'Back', visibility: 'everyone' });
          const remove = () => trash(ann, id);
          const [changed, removed] = await Promise.all([
            round % 3 === 1 ? late(put) : put(),
            round % 3 === 2 ? late(remove) : remove(),
          ]);
          outcomes.add(changed.status);
          expect([removed.status, (await look(ann, id)).status]).toEqual([200, 404]);
          expect((await purge(ann, id)).status).toBe(200);
        }),
      );
      for (const id of ids) expect(await itemsOf(`DOCUMENT#${id}`)).toEqual([]);
    }
    expect([...outcomes].toSorted()).toEqual([200, 404]);
    expect([await listed(ann), await trashed(ann)]).toEqual(before);
  });
});

describe('audit of documents', () => {
  it('logs each change once, without content, and no failures', async () => {
    const rea = await newReader();
    // An id says when its document was created: at this time none else was, whose entries would be found too.
    pass(12_345);
    const { body } = await create(ann, { content: 'A secret text', folder: 'F' });
    const { id } = body.data;
    for (const act of [
      () => change(ann, id, { content: 'Another secret text' }),
      () => change(ann, id, { title: '' }),
      () => change(bob, id, { title: 'Mine' }),
      () => share(ann, id, [rea.id]),
      () => share(ann, id, [rea.id]),
      () => unshare(manager, id, [rea.id]),
      () => trash(ann, id),
      () => trash(ann, id),
      () => restore(ann, id),
      () => trash(ann, id),
      () => purge(ann, id),
    ]) {
      // Entries of one millisecond have no order.
      pass(1);
      await act();
    }
    const entries = await entriesAbout(`document:${id}`);
    const shown = entries.map(({ action, actorId, before, after }) => [
      action,
      actorId,
      before,
      after,
    ]);
    const before = {
      title: 'A document',
      type: 'text',
      folder: 'F',
      tags: [],
      visibility: 'private',
    };
    expect(shown).toEqual([
      [
        'document.create',
        ann.id,
        undefined,
        { ...before, size: 13, sharedWith: [], authorId: ann.id },
      ],
      ['document.update', ann.id, { size: 13 }, { size: 19, content: 'changed' }],
      ['document.share', ann.id, { sharedWith: [] }, { sharedWith: [rea.id] }],
      ['document.unshare', manager.id, { sharedWith: [rea.id] }, { sharedWith: [] }],
      ['document.delete', ann.id, { deletedAt: null }, { deletedAt: time }],
      ['document.restore', ann.id, { deletedAt: time }, { deletedAt: null }],
      ['document.delete', ann.id, { deletedAt: null }, { deletedAt: time }],
      [
        'document.purge',
        ann.id,
        { ...before, size: 19, sharedWith: [], authorId: ann.id, deletedAt: time },
        undefined,
      ],
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret text');
  });
});

describe('GET /api/documents/trash', () => {
  it('lists own documents, last deleted first, by page and cursor', async () => {
    const tess = await newAuthor();
    const ids = [await made(tess), await made(tess), await made(tess, { visibility: 'everyone' })];
    for (const id of ids) {
      pass(1);
      await trash(tess, id);
    }
    const { body } = await listTrash(tess, { pageSize: '2' });
    expect(body.data).toMatchObject({ total: 3, totalIsExact: true, page: 1, totalPages: 2 });
    const { body: rest } = await listTrash(tess, { pageSize: '2', cursor: body.data.nextCursor });
    const items = [...body.data.items, ...rest.data.items];
    expect(items.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed());
    expect(items[0]).toMatchObject({ deletedAt: time, purgedAt: time, author: { id: tess.id } });
    expect(items[0]).not.toHaveProperty('content');
    expect((await trashed(bob)).ids).toEqual([]);
  });
});
