import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  change,
  listed,
  look,
  made,
  madeOfAll,
  newAuthor,
  newReader,
  restore,
  restoreRevision,
  revisions,
  share,
  shareAs,
  trash,
  trashed,
} from '../../support/documents/documents.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import type { Caller } from '../../support/sharing/requests.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { tracesOf } from '../../support/users/traces.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
afterEach(() => {
  vi.useRealTimers();
});

const { admin } = usePeople({ admin: () => newUserOf('super_admin', { name: 'Max Manager' }) });

/** Ids of the same millisecond have no other order. */
const newestFirst = (...ids: number[]) => ids.toSorted((a, b) => b - a);

describe('DELETE /api/users/{id}', () => {
  it('restores a trashed document without the removed reader', async () => {
    const [ann, bob] = [await newAuthor(), await newReader()];
    const id = await made(ann);
    await share(ann, id, [bob.id, admin.id]);
    await trash(ann, id);
    await removeUser(admin, bob.id);
    expect((await restore(ann, id)).body.data.sharedWith).toEqual([admin.id]);
    expect(await itemsOf(`DOCUMENTS#SHARED#${bob.id}`)).toEqual([]);
  });

  it('removes an editor’s role, and the name from what the editor wrote last', async () => {
    const [ann, ed] = [await newAuthor(), await newReader('Ed Editor')];
    const id = await made(ann);
    await shareAs(ann, id, [ed.id], 'editor');
    await change(ed, id, { content: 'By Ed' });
    const { editedAt } = (await look(ann, id)).body.data;
    await removeUser(admin, ed.id);
    const left = { sharedWith: [], editedBy: null, editedAt };
    expect((await look(ann, id)).body.data).toMatchObject(left);
    await minuteLater();
    expect(await tracesOf(ed.id)).toEqual([]);
  });

  it('names no one for what a removed author wrote, and keeps the editors of what is transferred', async () => {
    const [ann, bob, ed] = [await newAuthor(), await newAuthor('Bob Owner'), await newReader()];
    const id = await made(ann, { content: 'By Ann' });
    await shareAs(ann, id, [ed.id, bob.id], 'editor');
    await removeUser(admin, ann.id, bob.id);
    expect((await look(bob, id)).body.data).toMatchObject({
      author_id: bob.id,
      sharedWith: [ed.id],
      editedBy: null,
    });
    expect((await change(ed, id, { content: 'By Ed' })).status).toBe(200);
  });

  it('removes an editor’s name from revisions, and transfers or deletes them with the document', async () => {
    const [ann, bob, ed] = [await newAuthor(), await newAuthor('Bob Owner'), await newReader()];
    const [moved, gone] = [
      await made(ann, { content: 'By Ann' }),
      await made(bob, { content: 'x' }),
    ];
    await shareAs(ann, moved, [ed.id], 'editor');
    await change(ed, moved, { content: 'By Ed' });
    await change(ann, moved, { content: 'By Ann again' });
    const writers = async (client: Caller) => {
      const { items } = (await revisions(client, moved)).body.data;
      return items.map(({ editedBy }: { editedBy: { id: number } | null }) => editedBy?.id ?? null);
    };
    expect(await writers(ann)).toEqual([ed.id, ann.id]);
    await removeUser(admin, ed.id);
    await minuteLater();
    expect(await writers(ann)).toEqual([null, ann.id]);
    expect(await tracesOf(ed.id)).toEqual([]);

    await removeUser(admin, ann.id, bob.id);
    await minuteLater();
    expect(await writers(bob)).toEqual([null, null]);
    expect(await tracesOf(ann.id)).toEqual([]);
    expect((await restoreRevision(bob, moved, 3)).body.data.content).toBe('By Ed');

    await change(bob, gone, { content: 'y' });
    await removeUser(admin, bob.id);
    await minuteLater();
    await minuteLater();
    for (const id of [moved, gone]) expect(await itemsOf(`DOCUMENT#${id}`)).toEqual([]);
  });

  it('transfers documents with their readers, also those in the trash', async () => {
    const [ann, bob, cid] = [await newAuthor(), await newAuthor('Bob Owner'), await newReader()];
    const total = (await listed(admin)).total;
    const ids = await madeOfAll(ann, bob);
    await share(ann, ids[1], [cid.id]);
    await removeUser(admin, ann.id, bob.id);
    expect(await listed(bob, { author: String(bob.id) })).toEqual({
      ids: newestFirst(ids[0], ids[1], ids[2]),
      total: 3,
    });
    expect((await trashed(bob)).ids).toEqual([ids[3]]);
    expect((await look(bob, ids[1])).body.data).toMatchObject({
      author: { id: bob.id, name: 'Bob Owner' },
      sharedWith: [cid.id],
    });
    expect((await look(bob, ids[2])).body.data.size).toBe(40_000);
    expect((await listed(cid)).ids).toEqual(newestFirst(ids[1], ids[2]));
    expect((await restore(bob, ids[3])).status).toBe(200);
    expect((await listed(admin)).total).toBe(total + 4);
    expect((await listed(bob)).ids).toEqual(newestFirst(...ids));
    await minuteLater();
    expect(await tracesOf(ann.id)).toEqual([]);
  });
});
