import { describe, expect, it } from 'vitest';
import {
  change,
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
  shareAs,
  trash,
  unshare,
} from '../../support/documents/documents.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { ann, ed, rea, manager } = usePeople({
  ann: newAuthor,
  ed: () => newReader('Ed Editor'),
  rea: newReader,
  manager: newManager,
});

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
const lacksUpdate = {
  status: 403,
  body: { error: { code: 'FORBIDDEN', message: 'Missing permission: documents:update.' } },
};

const readersOf = async (id: number) => {
  const params = { id: String(id) };
  const { body } = await call('GET /api/documents/{id}/readers', { token: ann.token, params });
  return body.data.map(({ id: reader, role }: { id: number; role: string }) => [reader, role]);
};

const actionsOf = async (person: Person, id: number): Promise<unknown> =>
  (await look(person, id)).body.data.actions;

/** A document of Ann that Ed may edit and Rea may read. */
const sharedDocument = async (body: object = {}): Promise<number> => {
  const id = await made(ann, { content: 'First', ...body });
  await share(ann, id, [rea.id]);
  await shareAs(ann, id, [ed.id], 'editor');
  return id;
};

describe('PUT /api/documents/{id} by an editor', () => {
  it('changes title and content without documents:update, and names the editor', async () => {
    const id = await sharedDocument();
    expect((await look(ed, id)).body.data).toMatchObject({
      actions: ['edit'],
      editedBy: { id: ann.id, name: 'Ann Owner' },
    });
    const body = { title: 'Edited', content: 'Second' };
    expect(await change(ed, id, body)).toMatchObject({
      status: 200,
      body: { data: { ...body, author_id: ann.id, editedBy: { id: ed.id, name: 'Ed Editor' } } },
    });
    expect((await look(ann, id)).body.data).toMatchObject({
      ...body,
      actions: ['edit', 'manage', 'delete'],
      editedBy: { id: ed.id, name: 'Ed Editor', avatar: null },
    });
  });

  it('takes the whole document back as it was read', async () => {
    const id = await sharedDocument({ folder: 'Plans', tags: ['one'] });
    const { data } = (await look(ed, id)).body;
    const changed = await change(ed, id, { ...data, title: 'Again' });
    expect(changed).toMatchObject({ status: 200, body: { data: { title: 'Again' } } });
  });

  it.each([
    ['folder', { folder: 'Mine' }],
    ['tags', { tags: ['mine'] }],
    ['type', { type: 'html' }],
    ['visibility', { visibility: 'everyone' }],
  ])('refuses to change %s, and changes nothing then', async (field, body) => {
    const id = await sharedDocument();
    expect(await change(ed, id, { content: 'Smuggled', ...body })).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'FORBIDDEN',
          message: `You can change only title and content of this document. Leave out ${field}.`,
          details: [{ field, message: 'is changed by the owner only' }],
        },
      },
    });
    expect((await look(ann, id)).body.data).toMatchObject({ content: 'First', version: 3 });
  });

  it('refuses sharedWith, as for its owner', async () => {
    const id = await sharedDocument();
    const response = await change(ed, id, { sharedWith: [ed.id, manager.id] });
    expect(response).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'sharedWith' }] } },
    });
  });

  it('refuses an editor who was made a reader, removed, or whose document is in the trash', async () => {
    const ids = [await sharedDocument(), await sharedDocument(), await sharedDocument()] as const;
    await shareAs(ann, ids[0], [ed.id], 'reader');
    await unshare(ann, ids[1], [ed.id]);
    await trash(ann, ids[2]);
    expect(await change(ed, ids[0], { content: 'x' })).toMatchObject(lacksUpdate);
    expect(await change(ed, ids[1], { content: 'x' })).toMatchObject(lacksUpdate);
    expect(await change(ed, ids[2], { content: 'x' })).toMatchObject(missing);
    expect(await actionsOf(ed, ids[0])).toEqual([]);
    expect(await look(ed, ids[1])).toMatchObject(missing);
  });

  it('gives a removed editor who is added again no role of before', async () => {
    const id = await sharedDocument();
    await unshare(ann, id, [ed.id]);
    await share(ann, id, [ed.id]);
    expect(await readersOf(id)).toEqual([
      [rea.id, 'reader'],
      [ed.id, 'reader'],
    ]);
    expect(await change(ed, id, { content: 'x' })).toMatchObject(lacksUpdate);
  });

  it('keeps the role through the trash, and while everyone reads the document', async () => {
    const id = await sharedDocument();
    await trash(ann, id);
    await restore(ann, id);
    await change(ann, id, { visibility: 'everyone' });
    expect((await change(ed, id, { content: 'Public' })).status).toBe(200);
    await change(ann, id, { visibility: 'private' });
    expect((await change(ed, id, { content: 'Private' })).status).toBe(200);
  });
});

describe('PUT /api/documents/{id} by others', () => {
  it('refuses readers, strangers and owners without the permission alike, whether or not it exists', async () => {
    const stranger = await newReader();
    const id = await sharedDocument();
    for (const [person, of] of [
      [rea, id],
      [stranger, id],
      [rea, 1],
    ] as const) {
      expect(await change(person, of, { content: 'x' })).toMatchObject(lacksUpdate);
    }
  });

  it('returns 404 to a reader with documents:update', async () => {
    const bob = await newAuthor('Bob Owner');
    const id = await made(ann);
    await share(ann, id, [bob.id]);
    expect(await change(bob, id, { content: 'x' })).toMatchObject(missing);
    expect(await actionsOf(bob, id)).toEqual([]);
  });

  it('refuses guests and tokens with permissions of their own before the body is read', async () => {
    const id = await sharedDocument();
    const guest = await newUserOf('guest');
    await shareAs(ann, id, [guest.id], 'editor');
    expect(await change(guest, id, '{"gar')).toMatchObject(lacksUpdate);
    const limited = await createApiToken(ed.token, { permissions: ['documents:view'] });
    const token = { token: limited.body.data.token as string };
    expect(await change(token, id, { content: 'x' })).toMatchObject(lacksUpdate);
    expect((await look(token, id)).body.data.actions).toEqual([]);
    const whole = await createApiToken(ed.token, { permissions: null });
    const all = { token: whole.body.data.token as string };
    expect((await change(all, id, { content: 'By a script' })).status).toBe(200);
  });
});

describe('an editor', () => {
  it('can’t share, unshare, list readers, delete, restore or purge, also with the permissions', async () => {
    const bob = await newAuthor('Bob Owner');
    for (const [person, refused] of [
      [ed, { status: 403 }],
      [bob, missing],
    ] as const) {
      const id = await sharedDocument();
      await shareAs(ann, id, [bob.id], 'editor');
      const params = { id: String(id) };
      const answers = async () => [
        await shareAs(person, id, [person.id], 'editor'),
        await share(person, id, [manager.id]),
        await unshare(person, id, [rea.id]),
        await call('GET /api/documents/{id}/readers', { token: person.token, params }),
        await trash(person, id),
      ];
      for (const answer of await answers()) expect(answer).toMatchObject(refused);
      expect((await look(ann, id)).body.data.version).toBe(4);
      expect((await look(person, id)).body.data.sharedWith).toEqual([person.id]);
      await trash(ann, id);
      for (const answer of [await restore(person, id), await purge(person, id)]) {
        expect(answer).toMatchObject(refused);
      }
      const listedTrash = await listTrash(person);
      expect(listedTrash.body.data.total).toBe(0);
    }
  });

  it('can’t make themselves one', async () => {
    const bob = await newAuthor('Bob Owner');
    const id = await made(ann);
    await share(ann, id, [bob.id, rea.id]);
    expect(await shareAs(bob, id, [bob.id], 'editor')).toMatchObject(missing);
    expect((await shareAs(rea, id, [rea.id], 'editor')).status).toBe(403);
    expect(await readersOf(id)).toEqual([
      [bob.id, 'reader'],
      [rea.id, 'reader'],
    ]);
  });
});

describe('POST /api/documents/{id}/share', () => {
  it('adds readers as before without a role, and changes roles of those there with one', async () => {
    const id = await made(ann);
    await share(ann, id, [rea.id]);
    await shareAs(ann, id, [rea.id, ed.id], 'editor');
    expect(await readersOf(id)).toEqual([
      [rea.id, 'editor'],
      [ed.id, 'editor'],
    ]);
    const { version } = (await look(ann, id)).body.data;
    await share(ann, id, [rea.id, ed.id]);
    await shareAs(ann, id, [ed.id], 'editor');
    expect((await look(ann, id)).body.data.version).toBe(version);
    await shareAs(manager, id, [rea.id], 'reader');
    expect(await readersOf(id)).toEqual([
      [rea.id, 'reader'],
      [ed.id, 'editor'],
    ]);
  });

  it('rejects another role', async () => {
    const id = await made(ann);
    expect(await shareAs(ann, id, [ed.id], 'owner')).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'role', message: 'must be one of reader, editor' }] } },
    });
  });

  it('lets one of two concurrent changes of a role and the text follow the other', async () => {
    const id = await sharedDocument();
    const [edited, demoted] = await Promise.all([
      change(ed, id, { content: 'Late' }),
      shareAs(ann, id, [ed.id], 'reader'),
    ]);
    expect(demoted.status).toBe(200);
    const { content } = (await look(ann, id)).body.data;
    expect(content).toBe(edited.status === 200 ? 'Late' : 'First');
    expect(await change(ed, id, { content: 'Too late' })).toMatchObject(lacksUpdate);
  });
});

describe('GET /api/documents', () => {
  it('says of each document what the caller can do with it', async () => {
    const [rea2, id] = [await newReader(), await made(ann)];
    await shareAs(ann, id, [rea2.id], 'editor');
    const listOf = async ({ token }: Person) => {
      const { body } = await call('GET /api/documents', { token, query: { pageSize: '100' } });
      return body.data.items.map((one: { id: number; actions: string[] }) => [one.id, one.actions]);
    };
    expect(await listOf(rea2)).toContainEqual([id, ['edit']]);
    expect((await listed(rea2)).ids).toContain(id);
    expect(await listOf(ann)).toContainEqual([id, ['edit', 'manage', 'delete']]);
    expect(await listOf(manager)).toContainEqual([id, ['edit', 'manage', 'delete']]);
  });
});
