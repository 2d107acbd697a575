import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  change,
  create,
  listed,
  look,
  made,
  newAuthor,
  purge,
  restore,
  trash,
  trashed,
} from '../../support/documents/documents.ts';
import { listTextObjects } from '../../support/documents/text-objects.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useStoppableBucket } from '../../support/s3/stopped-s3.ts';
import { runMinute } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { signInAgain, usePeople } from '../../support/users/use-people.ts';

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;
const hour = 3_600_000;

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const { withoutS3 } = useStoppableBucket();

const { ann } = usePeople({ ann: newAuthor });

const later = async (ms: number): Promise<void> => {
  pass(ms);
  await runMinute();
  await signInAgain(ann);
};

/** Hashes keep the diff of megabytes to one line. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const random = (bytes: number): string => randomBytes(bytes).toString('base64').slice(0, bytes);
const large = () => random(50 * kilobyte);
/** A byte order mark, NUL, both kinds of line ends, joined emoji, marks that combine, both normal forms. */
const strange = '\ufeff\0\r\n\r👩‍👩‍👧‍👦 e\u0301 é Å \u{10ffff} \uffff ﷽ עברית \u2028\u2029\n';
const repeated = (text: string, bytes: number): string => {
  const times = Math.floor(bytes / Buffer.byteLength(text));
  return text.repeat(times) + 'x'.repeat(bytes - times * Buffer.byteLength(text));
};

describe('document content', () => {
  it.each([
    ['1 byte', 'x'],
    ['64 KB at random', random(64 * kilobyte)],
    ['2 MB of Unicode', repeated(strange, 2 * megabyte)],
  ])('keeps %s as sent, on creation and update', async (_, content) => {
    const { status, body } = await create(ann, { content });
    expect([status, body.data.size, sha256(body.data.content)]).toEqual([
      201,
      Buffer.byteLength(content),
      sha256(content),
    ]);
    const { id } = body.data;
    expect(sha256((await look(ann, id)).body.data.content)).toBe(sha256(content));
    expect((await change(ann, id, { content: 'Else' })).body.data.content).toBe('Else');
    expect((await change(ann, id, { content })).status).toBe(200);
    expect(sha256((await look(ann, id)).body.data.content)).toBe(sha256(content));
  });

  it('stores empty content as none', async () => {
    const id = await made(ann, { content: '' });
    expect((await look(ann, id)).body.data).toMatchObject({ content: null, size: 0 });
    await change(ann, id, { content: ' ' });
    expect((await look(ann, id)).body.data).toMatchObject({ content: ' ', size: 1 });
    await change(ann, id, { content: '' });
    expect((await look(ann, id)).body.data).toMatchObject({ content: null, size: 0 });
  });

  it.each([
    ['x'.repeat(2 * megabyte + 1), 'must be at most 2 MB (UTF-8)'],
    [`${'é'.repeat(megabyte)}x`, 'must be at most 2 MB (UTF-8)'],
    ['"'.repeat(2 * megabyte), 'is too large as JSON; shorten it'],
  ])('rejects content that is too large and keeps the former one', async (content, message) => {
    const refused = {
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE', details: [{ field: 'content', message }] } },
    };
    const before = await listed(ann);
    expect(await create(ann, { content })).toMatchObject(refused);
    expect(await listed(ann)).toEqual(before);
    const id = await made(ann, { content: 'Former' });
    expect(await change(ann, id, { content })).toMatchObject(refused);
    expect((await look(ann, id)).body.data).toMatchObject({ content: 'Former', version: 1 });
  });

  it('stores content either in the table or in S3', async () => {
    const id = await made(ann, { content: 'small' });
    const places = async () => [
      (await itemsOf(`DOCUMENT#${id}`))
        .map(({ sk }) => String(sk))
        .filter((sk) => !sk.startsWith('REVISION#'))
        .sort(),
      (await listTextObjects(id)).length,
    ];
    expect(await places()).toEqual([['DOCUMENT', 'TEXTS'], 0]);
    // The beginning of a text in S3 stays in the table, for searches.
    await change(ann, id, { content: large() });
    expect(await places()).toEqual([['DOCUMENT', 'TEXTS'], 1]);
    await change(ann, id, { content: large() });
    await later(1_000);
    expect(await places()).toEqual([['DOCUMENT', 'TEXTS'], 1]);
    await change(ann, id, { content: 'x'.repeat(50 * kilobyte) });
    await later(1_000);
    expect(await places()).toEqual([['DOCUMENT', 'TEXTS'], 0]);
    await trash(ann, id);
    expect((await purge(ann, id)).status).toBe(200);
    expect(await places()).toEqual([[], 0]);
  });

  it('keeps the last of several concurrent writes', async () => {
    const id = await made(ann, { content: large() });
    const texts = Array.from({ length: 6 }, large);
    const responses = await Promise.all(texts.map((content) => change(ann, id, { content })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const last = responses.toSorted((a, b) => a.body.data.version - b.body.data.version).at(-1);
    const { data } = (await look(ann, id)).body;
    expect([data.version, sha256(data.content)]).toEqual([7, sha256(last?.body.data.content)]);
    await later(hour + 1);
    // The first is a revision.
    expect(await listTextObjects(id)).toHaveLength(2);
  });
});

describe('while S3 is unavailable', () => {
  it('trashes, restores and deletes a large document; its object once S3 is available', async () => {
    const content = large();
    const id = await made(ann, { content });
    await withoutS3(async () => {
      expect((await trash(ann, id)).status).toBe(200);
      expect((await restore(ann, id)).status).toBe(200);
    });
    expect(sha256((await look(ann, id)).body.data.content)).toBe(sha256(content));
    await withoutS3(async () => {
      await trash(ann, id);
      expect((await purge(ann, id)).status).toBe(200);
      await later(1_000);
    });
    expect(await listTextObjects(id)).toHaveLength(1);
    await later(1_000);
    expect([await listTextObjects(id), await itemsOf(`DOCUMENT#${id}`)]).toEqual([[], []]);
  });
});

describe('a document in the trash', () => {
  const days = 86_400_000;

  it('is permanently deleted with its data after 30 days, not earlier', async () => {
    const content = large();
    const [kept, gone] = [await made(ann, { content }), await made(ann, { content })];
    await trash(ann, kept);
    await trash(ann, gone);
    await later(30 * days - 2_000);
    expect((await restore(ann, kept)).status).toBe(200);
    const { total } = await trashed(ann);
    pass(2_001);
    await signInAgain(ann);
    // An expired document is hidden even while it is stored.
    expect((await trashed(ann)).ids).not.toContain(gone);
    expect((await trashed(ann)).total).toBe(total - 1);
    for (const act of [restore, purge]) expect((await act(ann, gone)).status).toBe(404);
    expect(await itemsOf(`DOCUMENT#${gone}`)).not.toEqual([]);
    await later(0);
    await later(1_000);
    expect([await itemsOf(`DOCUMENT#${gone}`), await listTextObjects(gone)]).toEqual([[], []]);
    expect(await trashed(ann)).toEqual({ ids: [], total: 0 });
    expect(sha256((await look(ann, kept)).body.data.content)).toBe(sha256(content));
    const [entry] = (await itemsOf(`AUDIT#SUBJECT#document:${gone}`)).filter(
      ({ action }) => action === 'document.purge',
    );
    expect(entry).toMatchObject({ address: '', requestId: '' });
    expect(entry).not.toHaveProperty('actorId');
  });

  it('is deleted once by concurrent runs', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => made(ann)));
    for (const id of ids) await trash(ann, id);
    pass(30 * days + 1);
    await Promise.all(Array.from({ length: 5 }, runMinute));
    await later(0);
    for (const id of ids) expect(await itemsOf(`DOCUMENT#${id}`)).toEqual([]);
    expect(await trashed(ann)).toEqual({ ids: [], total: 0 });
  });
});
