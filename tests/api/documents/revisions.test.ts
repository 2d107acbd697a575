import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { deleteRevisions, forgetWriter } from '../../../functions/api/documents/revisions.ts';
import {
  change,
  create,
  diff,
  look,
  made,
  newAuthor,
  newManager,
  newReader,
  purge,
  restore,
  restoreRevision,
  revision,
  revisions,
  share,
  shareAs,
  trash,
} from '../../support/documents/documents.ts';
import { listTextObjects } from '../../support/documents/text-objects.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import type { Caller } from '../../support/sharing/requests.ts';
import { storeRevisions } from '../../support/table/many-revisions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const { ann } = useNewPeople({ ann: newAuthor });

/** Too large for the table. */
const large = (): string => randomBytes(20_000).toString('base64');

const listed = async (client: Caller, id: number) =>
  (await revisions(client, id)).body.data.items as readonly {
    readonly version: number;
    readonly editedBy: { readonly name: string } | null;
  }[];
const versions = async (id: number): Promise<number[]> =>
  (await listed(ann, id)).map(({ version }) => version);

/** Changes a document and returns its version. */
const edit = async (client: Caller, id: number, body: object): Promise<number> => {
  const changed = await change(client, id, body);
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  return changed.body.data.version;
};

/** Passes time, after which Ann's access token may have expired. */
const later = async (ms: number): Promise<void> => {
  pass(ms);
  await signInAgain(ann);
};

/** Waits until the next change of the same person leaves a revision. */
const wait = () => later(10 * minute);

const storedRevisions = async (id: number) =>
  (await itemsOf(`DOCUMENT#${id}`)).filter(({ sk }) => /^REVIS/.test(String(sk)));

describe('what leaves a revision', () => {
  it('is nothing of what one person types within ten minutes, and then what was there', async () => {
    const id = await made(ann, { title: 'Untitled', content: 'H' });
    for (const content of ['He', 'Hello', 'Hello world', 'Hello there']) {
      pass(30 * second);
      await edit(ann, id, { content, title: 'Greeting' });
    }
    expect(await versions(id)).toEqual([]);
    await later(8 * minute);
    await edit(ann, id, { content: 'Hello you' });
    expect(await versions(id)).toEqual([5]);
    expect((await revision(ann, id, 5)).body.data).toMatchObject({
      title: 'Greeting',
      content: 'Hello there',
    });
    await later(9 * minute);
    await edit(ann, id, { content: 'Hello all' });
    pass(minute);
    await edit(ann, id, { content: 'Hello all of you' });
    expect(await versions(id)).toEqual([7, 5]);
  });

  it('is the first change of a document, unless its author goes on with it', async () => {
    const sent = await made(ann, { content: 'As sent' });
    await edit(ann, sent, { content: 'Another' });
    await edit(ann, sent, { content: 'A third' });
    expect(await versions(sent)).toEqual([1]);
    const goneOn = await made(ann, { content: 'As sent' });
    await edit(ann, goneOn, { content: 'As sent, and more' });
    expect(await versions(goneOn)).toEqual([]);
  });

  it('is what someone else wrote, once for each who begins, however often they take turns', async () => {
    const [bob, eve] = [await newReader('Bob'), await newReader('Eve')];
    const id = await made(ann, { content: 'By Ann' });
    await shareAs(ann, id, [bob.id, eve.id], 'editor');
    for (let turn = 0; turn < 5; turn++) {
      await edit(bob, id, { content: `By Bob ${turn}` });
      await edit(ann, id, { content: `By Ann ${turn}` });
      pass(second);
    }
    expect(await versions(id)).toEqual([3, 2]);
    await edit(eve, id, { content: 'By Eve' });
    // Bob was away for more than two minutes.
    pass(2 * minute);
    await edit(eve, id, { content: 'By Eve, too' });
    await edit(bob, id, { content: 'By Bob again' });
    const items = await listed(ann, id);
    expect(items.map(({ version, editedBy }) => [version, editedBy?.name])).toEqual([
      [14, 'Eve'],
      [12, 'Ann Owner'],
      [3, 'Bob'],
      [2, 'Ann Owner'],
    ]);
  });

  it('is a text that mostly goes, however soon', async () => {
    const text = 'A sentence of some length. '.repeat(10);
    const id = await made(ann, { content: text });
    await edit(ann, id, { content: `${text}!` });
    await edit(ann, id, { content: text.slice(0, 150) });
    expect(await versions(id)).toEqual([]);
    await edit(ann, id, { content: 'A' });
    expect(await versions(id)).toEqual([3]);
    await edit(ann, id, { content: '' });
    expect(await versions(id)).toEqual([3]);
  });

  it('is a change of the title alone, of nothing else', async () => {
    const content = large();
    const id = await made(ann, { title: 'One', content });
    await wait();
    await edit(ann, id, { folder: 'Plans', tags: ['x'], visibility: 'everyone' });
    expect(await versions(id)).toEqual([]);
    await edit(ann, id, { title: 'Two' });
    expect(await versions(id)).toEqual([2]);
    await edit(ann, id, { content: 'Short' });
    pass(2 * second);
    await runMinute();
    expect((await revision(ann, id, 2)).body.data).toMatchObject({ title: 'One', content });
  });
});

describe('GET /api/documents/{id}/revisions', () => {
  it('lists them with who wrote them and when', async () => {
    const start = Date.now();
    const at = (ms: number) => new Date(start + ms).toISOString();
    const id = await made(ann, { title: 'Plans', content: 'One' });
    expect((await revisions(ann, id)).body.data).toEqual({ items: [] });
    pass(minute);
    await edit(ann, id, { content: 'Two!' });
    const bob = await newReader('Bob');
    await shareAs(ann, id, [bob.id], 'editor');
    pass(minute);
    await edit(bob, id, { title: 'Ours' });
    const shown = { title: 'Plans', editedBy: (await look(ann, id)).body.data.author };
    const second = {
      ...{ ...shown, version: 3, size: 4, editedAt: at(minute) },
      ...{ replacedAt: at(2 * minute), expiresAt: at(2 * minute + 90 * day) },
    };
    const first = {
      ...{ ...shown, version: 1, size: 3, editedAt: at(0) },
      ...{ replacedAt: at(minute), expiresAt: at(minute + 90 * day) },
    };
    expect((await revisions(bob, id)).body).toEqual({
      success: true,
      data: { items: [second, first] },
    });
    expect((await revision(bob, id, 1)).body.data).toEqual({ ...first, content: 'One' });
  });

  it.each([
    ['none', null],
    ['a short one', 'Short'],
    ['one in the table', randomBytes(2_000).toString('base64')],
    ['one in the bucket', large()],
  ])('has the content of each: %s', async (_, content) => {
    const id = await made(ann, { content });
    await wait();
    await edit(ann, id, { content: large() });
    await wait();
    await edit(ann, id, { content: 'Small' });
    pass(second);
    await runMinute();
    expect((await revision(ann, id, 1)).body.data.content).toBe(content);
    expect((await revision(ann, id, 2)).body.data.content).toHaveLength(26_668);
  });

  it('keeps the last 50', async () => {
    const id = await made(ann, { content: large() });
    for (let count = 1; count <= 53; count++) {
      await wait();
      await edit(ann, id, { content: count % 2 ? large() : `Text ${count}` });
    }
    const kept = await versions(id);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, 53, 4]);
    expect((await revision(ann, id, 3)).status).toBe(404);
    expect((await storedRevisions(id)).length).toBe(50);
    pass(second);
    await runMinute();
    // 25 revisions and the current content.
    expect(await listTextObjects(id)).toHaveLength(26);
  });

  it('keeps 16 MB, the newest always', async () => {
    const text = (letter: string) => letter.repeat(2 * 1024 * 1024);
    const id = await made(ann, { content: text('a') });
    for (const letter of 'bcdefghijk') {
      await wait();
      await edit(ann, id, { content: text(letter) });
    }
    expect(await versions(id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
  });

  it('keeps them for 90 days, in the trash, too', async () => {
    const id = await made(ann, { content: large() });
    await edit(ann, id, { content: 'Two' });
    await later(65 * day);
    await trash(ann, id);
    await later(25 * day - 1);
    await runMinute();
    expect((await revisions(ann, id)).status).toBe(404);
    await restore(ann, id);
    expect((await revision(ann, id, 1)).status).toBe(200);
    pass(1);
    expect(await listed(ann, id)).toEqual([]);
    expect((await revision(ann, id, 1)).status).toBe(404);
    await runMinute();
    expect(await listTextObjects(id)).toEqual([]);
    const [left] = await storedRevisions(id);
    expect(left?.['ttl']).toBe(Math.ceil(Date.now() / second));
  });

  it('leaves nothing of a document that is permanently deleted', async () => {
    const id = await made(ann, { content: large() });
    for (const content of ['Two', large(), randomBytes(2_000).toString('base64'), 'Five']) {
      await wait();
      await edit(ann, id, { content });
    }
    expect(await versions(id)).toEqual([4, 3, 2, 1]);
    await trash(ann, id);
    expect((await purge(ann, id)).status).toBe(200);
    expect((await revisions(ann, id)).status).toBe(404);
    pass(2 * minute);
    await runMinute();
    await runJobs();
    pass(second);
    await runMinute();
    expect(await itemsOf(`DOCUMENT#${id}`)).toEqual([]);
    expect(await listTextObjects(id)).toEqual([]);
  });
});

describe('more revisions than are kept', () => {
  const storeMany = (id: number, versions: readonly number[]) =>
    storeRevisions(versions, {
      keyOf: (version) => documentKeys.revision.at({ id, version }),
      textKeyOf: (version) => documentKeys.revisionText.at({ id, version }),
      toText: (content) => ({ content }),
      fields: { title: 'One', by: ann.id, writtenAt: new Date().toISOString() },
    });
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

  it('are deleted by a job after a change that sends other fields, too', async () => {
    const id = await made(ann, { content: 'One' });
    for (let count = 1; count <= 53; count++) {
      await wait();
      await edit(ann, id, { content: `Text ${count}`, folder: `Folder ${count}` });
    }
    expect((await versions(id)).length).toBe(50);
    pass(minute);
    await runMinute();
    await runJobs();
    expect((await storedRevisions(id)).length).toBe(50);
    expect((await versions(id)).length).toBe(50);
  });

  it('leave nothing with their document', async () => {
    const id = await made(ann, { content: 'One' });
    await edit(ann, id, { content: 'Two' });
    await storeMany(
      id,
      upTo(130).map((at) => at + 1),
    );
    expect(await listTextObjects(id)).toHaveLength(4);
    await trash(ann, id);
    expect((await purge(ann, id)).status).toBe(200);
    pass(2 * minute);
    await runMinute();
    await runJobs();
    pass(second);
    await runMinute();
    expect(await itemsOf(`DOCUMENT#${id}`)).toEqual([]);
    expect(await listTextObjects(id)).toEqual([]);
  });

  it('forget who wrote them', async () => {
    const id = await made(ann, { content: 'One' });
    await storeMany(id, upTo(110));
    const soon = { deadline: Date.now() + 20_000 };
    expect(await forgetWriter(id, ann.id, { deadline: Date.now() })).toBe(false);
    expect(await forgetWriter(id, ann.id, soon)).toBe(true);
    expect((await storedRevisions(id)).filter(({ by }) => by === ann.id)).toEqual([]);
    expect(await deleteRevisions(id, { deadline: Date.now() })).toBe(false);
  });
});

describe('who sees revisions', () => {
  const statusesOf = async (client: Caller, id: number): Promise<number[]> => {
    const answers = await Promise.all([
      revisions(client, id),
      revision(client, id, 1),
      diff(client, id, 1),
      restoreRevision(client, id, 1),
    ]);
    return [...new Set(answers.map(({ status }) => status))];
  };

  it('are the author, editors and managers; neither readers nor others', async () => {
    const [bob, rea, max] = [await newReader('Bob'), await newReader(), await newManager()];
    const [other, writer] = [await newReader(), await newAuthor()];
    const id = await made(ann, { content: 'One' });
    await edit(ann, id, { content: 'Two' });
    await shareAs(ann, id, [bob.id], 'editor');
    await share(ann, id, [rea.id, writer.id]);
    for (const client of [ann, bob, max]) expect(await statusesOf(client, id)).toEqual([200]);
    expect(await statusesOf(rea, id)).toEqual([403]);
    expect(await statusesOf(other, id)).toEqual([403]);
    expect(await statusesOf(writer, id)).toEqual([404]);
    await trash(ann, id);
    expect(await statusesOf(ann, id)).toEqual([404]);
  });

  it('are tokens that may change documents', async () => {
    const id = await made(ann, { content: 'One' });
    await edit(ann, id, { content: 'Two' });
    const newToken = async (permissions: readonly string[]) => {
      const body = { name: 'A script', permissions };
      const { token } = ann;
      const { data } = (await call('POST /api/auth/tokens', { token, body })).body;
      return { token: data.token as string };
    };
    expect(await statusesOf(await newToken(['documents:view']), id)).toEqual([403]);
    const both = await newToken(['documents:view', 'documents:update']);
    expect(await statusesOf(both, id)).toEqual([200]);
  });
});

describe('GET /api/documents/{id}/revisions/{version}/diff', () => {
  it('compares with the current content or another revision, and says what the titles are', async () => {
    const id = await made(ann, { title: 'One', content: 'a\nb\n' });
    await edit(ann, id, { content: 'a\nc\n' });
    await wait();
    await edit(ann, id, { content: 'a\nd\n', title: 'Two' });
    expect((await diff(ann, id, 1)).body.data).toEqual({
      from: 1,
      to: null,
      diff: '--- revision 1\n+++ current\n@@ -1,2 +1,2 @@\n a\n-b\n+d\n',
      isCut: false,
      title: { from: 'One', to: 'Two' },
    });
    const between = (await diff(ann, id, 1, { to: '2' })).body.data;
    expect(between).toMatchObject({ to: 2, diff: expect.stringContaining('-b\n+c\n') });
    expect(between).not.toHaveProperty('title');
    expect((await diff(ann, id, 9)).status).toBe(404);
    expect((await diff(ann, id, 1, { to: '9' })).status).toBe(404);
    const { status, body } = await diff(ann, id, 1, { to: 'x' });
    expect([status, body.error.details[0].field]).toEqual([400, 'to']);
  });

  it('tells a change of line endings apart, and compares with no content', async () => {
    const id = await made(ann, { content: 'a\r\nb\r\n' });
    await edit(ann, id, { content: 'a\nb\n' });
    expect((await diff(ann, id, 1)).body.data).toMatchObject({
      diff: '',
      lineEnds: { from: 'CRLF', to: 'LF' },
    });
    await edit(ann, id, { content: null });
    expect((await diff(ann, id, 1)).body.data.diff).toContain('-a\r\n-b\r\n');
  });
});

describe('POST /api/documents/{id}/revisions/{version}/restore', () => {
  it.each([
    ['none', null],
    ['a short one', 'Short'],
    ['one in the bucket', large()],
  ])('brings back title and content: %s', async (_, content) => {
    const id = await made(ann, { title: 'One', type: 'text', content });
    await wait();
    await edit(ann, id, { title: 'Two', content: 'Else', type: 'markdown', folder: 'Plans' });
    const restored = await restoreRevision(ann, id, 1);
    expect(restored).toMatchObject({
      status: 200,
      body: {
        message: 'Restored',
        data: { title: 'One', content, type: 'markdown', folder: 'Plans', version: 3 },
      },
    });
    expect((await look(ann, id)).body.data).toEqual(restored.body.data);
    // What it replaced has just been written.
    expect(await versions(id)).toEqual([2, 1]);
    expect((await revision(ann, id, 2)).body.data).toMatchObject({ title: 'Two', content: 'Else' });
    // A revision outlives being restored and replaced again.
    await edit(ann, id, { content: large() });
    pass(minute);
    await runMinute();
    expect((await revision(ann, id, 1)).body.data.content).toBe(content);
  });

  it('changes nothing when repeated, and needs a revision and the version that was seen', async () => {
    const id = await made(ann, { content: 'One' });
    await edit(ann, id, { content: 'Two' });
    const { etag } = (await look(ann, id)).headers;
    expect((await restoreRevision(ann, id, 1, { 'if-match': etag })).body.data.version).toBe(3);
    expect((await restoreRevision(ann, id, 1)).body.data.version).toBe(3);
    expect((await restoreRevision(ann, id, 1, { 'if-match': etag })).status).toBe(412);
    expect((await restoreRevision(ann, id, 9)).status).toBe(404);
    expect(await versions(id)).toEqual([2, 1]);
    const [entry] = (await itemsOf(`AUDIT#SUBJECT#document:${id}`)).filter(
      ({ action }) => action === 'document.restore-revision',
    );
    expect(entry).toMatchObject({ actorId: ann.id, after: { content: 'changed' } });
  });

  it('loses nothing against saves at the same time', async () => {
    const id = await made(ann, { content: 'One' });
    await edit(ann, id, { content: 'Two' });
    const max = await newManager();
    const answers = await Promise.all([
      restoreRevision(ann, id, 1),
      change(max, id, { content: 'By Max' }),
      restoreRevision(max, id, 1),
      change(ann, id, { title: 'By Ann' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const contents = await Promise.all(
      (await versions(id)).map(async (one) => (await revision(ann, id, one)).body.data.content),
    );
    const { content } = (await look(ann, id)).body.data;
    expect(new Set([...contents, content])).toEqual(new Set(['One', 'Two', 'By Max']));
  });

  it('keeps one revision of two saves at the same time', async () => {
    const id = await made(ann, { content: 'One' });
    await wait();
    await Promise.all([
      change(ann, id, { content: 'Two' }),
      change(ann, id, { content: 'Three' }),
      change(ann, id, { content: 'Four' }),
    ]);
    expect(await versions(id)).toEqual([1]);
    expect((await revision(ann, id, 1)).body.data.content).toBe('One');
  });
});

describe('PUT /api/documents/{id}', () => {
  it('leaves a revision with the largest change there is', async () => {
    const names = (start: string) => Array.from({ length: 20 }, (_, at) => `${start} ${at}`);
    const words = (start: string) => names(start).join(' ').slice(0, 200);
    const bob = await newReader();
    const first = { folder: 'One', type: 'text', tags: names('a'), content: large() };
    const id = await made(ann, { title: words('x'), ...first });
    const readers = await Promise.all(Array.from({ length: 19 }, () => newReader()));
    await shareAs(ann, id, [bob.id, ...readers.map((one) => one.id)], 'editor');
    await edit(bob, id, { title: words('y') });
    for (const at of [0, 1]) {
      await wait();
      await edit(ann, id, {
        ...{
          title: words(`z${at}`),
          folder: `Two ${at}`,
          type: `kind ${at}`,
          tags: names(`b${at}`),
        },
        ...{ visibility: at === 0 ? 'everyone' : 'private', content: large() },
      });
    }
    expect((await versions(id)).length).toBe(3);
  });
});

describe('POST /api/documents', () => {
  it('takes no revision with the first save of a new document', async () => {
    const { body } = await create(ann, { title: 'Untitled', content: '' });
    await edit(ann, body.data.id, { title: 'Plans' });
    await edit(ann, body.data.id, { content: 'Words' });
    expect(await versions(body.data.id)).toEqual([]);
  });
});
