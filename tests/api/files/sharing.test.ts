import { beforeAll, describe, expect, it } from 'vitest';
import {
  change,
  listed,
  look,
  made,
  madeFolder,
  newOwner,
  newReader,
  share,
} from '../../support/files/files.ts';
import { list as listNotifications } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();

/** A name of more words than are found. */
const longName = (word: string): string =>
  Array.from({ length: 14 }, (_, at) => `${word}${at}`).join(' ');

let ann: Person;
let first: Person[];
let second: Person[];
beforeAll(async () => {
  ann = await newOwner();
  const readers = await Promise.all(Array.from({ length: 40 }, () => newReader()));
  [first, second] = [readers.slice(0, 20), readers.slice(20)];
  await madeFolder(ann, 'One');
  await madeFolder(ann, 'Two');
});

const idsOf = (people: readonly Person[]): number[] => people.map(({ id }) => id);

/** A favourite of a long name, in a folder, that the first 20 see. */
const newFile = async (): Promise<number> => {
  const id = await made(ann, { name: longName('word'), folder: 'One' });
  const shown = await change(ann, id, { sharedWith: idsOf(first), isFavorite: true });
  expect(shown.status).toBe(200);
  return id;
};

/** Returns what the first reader sees, and checks the total of the list. */
const seenBy = async ([one]: readonly Person[]) => {
  const seen = await listed(one as Person);
  expect(seen.total).toBe(seen.ids.length);
  return seen;
};

describe('POST /api/files/{id}/share', () => {
  it('rejects a folder', async () => {
    const folder = await madeFolder(ann, 'Folder');
    const { status, body } = await share(ann, folder, idsOf(first));
    const message = 'is not supported for folders';
    expect([status, body.error.details]).toEqual([400, [{ field: 'userIds', message }]]);
  });
});

describe('PUT /api/files/{id} {sharedWith}', () => {
  it('notifies only new readers, by the name at that time', async () => {
    const [rea, rob] = [await newReader(), await newReader()];
    const id = await made(ann, { name: 'old.txt' });
    await change(ann, id, { sharedWith: [rea.id] });
    await change(ann, id, { sharedWith: [rea.id, rob.id], name: 'new.txt' });
    await change(ann, id, { name: 'newer.txt' });
    await minuteLater();
    for (const person of [rea, rob]) {
      const { items } = (await listNotifications(person)).body.data;
      expect(items).toEqual([expect.objectContaining({ content: '“newer.txt”' })]);
    }
  });
});

describe('replacing 20 readers of a file', () => {
  it('works together with a new short name and folder', async () => {
    const id = await newFile();
    await change(ann, id, { name: 'a b' });
    const edit = { sharedWith: idsOf(second), name: 'c d', folder: 'Two' };
    const { status, body } = await change(ann, id, edit);
    expect([status, body.data]).toMatchObject([200, { ...edit, version: 4 }]);
    expect((await seenBy(first)).ids).not.toContain(id);
    expect((await seenBy(second)).ids).toContain(id);
  });

  it('is rejected together with all words of a name', async () => {
    const id = await newFile();
    const edit = { sharedWith: idsOf(second), name: longName('else'), folder: 'Two' };
    const refused = await change(ann, id, edit);
    const message = 'changes too much; send name and folder first, then users';
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      [{ field: 'sharedWith', message }],
    ]);
    expect((await look(ann, id)).body.data).toMatchObject({ version: 2, folder: 'One' });
    expect((await seenBy(first)).ids).toContain(id);
    const { sharedWith, ...others } = edit;
    expect((await change(ann, id, others)).status).toBe(200);
    expect((await change(ann, id, { sharedWith })).status).toBe(200);
    expect((await seenBy(first)).ids).not.toContain(id);
    expect((await seenBy(second)).ids).toContain(id);
  });

  it('works when the file becomes public or private', async () => {
    const id = await newFile();
    const edit = { sharedWith: idsOf(second), name: longName('else'), folder: 'Two' };
    const shown = await change(ann, id, { ...edit, visibility: 'everyone' });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect((await seenBy(first)).ids).toContain(id);
    const back = { sharedWith: idsOf(first), name: longName('word'), folder: 'One' };
    expect((await change(ann, id, { ...back, visibility: 'private' })).status).toBe(200);
    expect((await seenBy(first)).ids).toContain(id);
    expect((await seenBy(second)).ids).not.toContain(id);
  });
});
