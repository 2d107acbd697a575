import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  archivedCalendar,
  archivedDocument,
  archivedEvent,
  archivedFiles,
  archivedShare,
  archivedSite,
  createOwnData,
} from '../../support/archives/own-data.ts';
import { signIn } from '../../support/cli/session.ts';
import { send } from '../../support/run/process.ts';

const series = archivedEvent('Series', {
  rrule: 'FREQ=WEEKLY;COUNT=4',
  exdates: ['2026-11-23T09:00:00.000Z'],
  overrides: [
    {
      recurrenceId: '2026-11-30T09:00:00.000Z',
      start: '2026-11-30T11:00:00.000Z',
      end: '2026-11-30T12:00:00.000Z',
      ...{ title: 'Later', location: null, status: null },
    },
  ],
});

const everything = createOwnData(
  archivedShare('notes', { slug: 'my-notes', description: 'Some notes' }, '# Notes\n'),
  archivedShare('same-1', { title: 'Same' }, '# Same'),
  archivedShare('same-2', { title: 'Same' }, '# Same'),
  archivedShare('secret', { protected: true }),
  archivedShare('for-bob', { audience: 'people', readers: [1] }),
  archivedShare('codes', { sealed: true, content: 'content.sealed' }, undefined),
  archivedShare('over', { status: 'ended', content: null }, undefined),
  archivedSite('site', 'index.html', {
    'index.html': '<!doctype html><img src="a.png">',
    'a.png': Buffer.from([0, 1, 255]),
  }),
  archivedSite('alone', 'index.html', { 'index.html': '<!doctype html><p>Alone</p>' }),
  archivedDocument(1, 'Plan', '---\ntitle: Mine\n---\nText', { folder: 'Plans', tags: ['a'] }),
  archivedDocument(2, 'Plan', 'Another'),
  archivedDocument(3, 'Empty', '', { visibility: 'everyone', everyoneRole: 'editor' }),
  archivedFiles(
    ['Photos', 'Photos/2026'],
    [
      { name: 'a: b?.txt', content: 'One', folder: 'Photos/2026' },
      { name: 'twice.txt', content: 'Two', fields: { isFavorite: true } },
      { name: 'twice.txt', content: 'Two' },
    ],
  ),
  archivedCalendar(
    archivedEvent('Lunch', { attendees: [{ id: 1, name: 'Bob' }], reminders: [10] }),
    archivedEvent('Day off', { allDay: true, start: '1999-12-24', end: '1999-12-25' }),
    series,
    archivedEvent('Not mine', { owner: 'Bob' }),
  ),
  { 'messages.ndjson': '{}\n' },
);

const start = async (archive: Buffer) => {
  const session = await signIn();
  await writeFile(join(session.folder, 'a.zip'), archive);
  const get = async (path: string) =>
    (await send(`${session.service.url}${path}`, { token: session.token })).body;
  return { ...session, get };
};

describe('handbill import', () => {
  it('creates what there is not, says what it can’t keep, and finds all of it the next time', async () => {
    const { run, get } = await start(everything);
    const first = await run(['import', 'a.zip']);
    expect(first).toEqual({
      code: 0,
      out: [
        'shares: 7 imported, 0 already there',
        'documents: 3 imported, 0 already there',
        'files: 3 imported, 0 already there',
        'events: 3 imported, 0 already there\n',
      ].join('\n'),
      err: [
        'Messages stay in the archive: nobody can send them again.',
        'Not kept: passwords of shares (1); they are private until you set others.',
        'Not kept: people of shares (1); they are private until you name them.',
        'Not kept: sealed shares (1); the archive has neither their keys nor their proofs.',
        'Not kept: shares that have ended (1).',
        'Not kept: events of others (1).',
        'Not kept: people of events (1); nobody is invited again.',
        'Times, views, revisions and links of recipients are in the archive alone.\n',
      ].join('\n'),
    });

    const { items: shares } = await get('/api/share?mine=true&limit=100');
    const shown = shares.map(({ title, audience, slug, fileTotals }: never) => ({
      ...{ title, audience, slug, fileTotals },
    }));
    expect(
      shown.toSorted((a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1)),
    ).toMatchObject([
      { title: 'Same', audience: 'link' },
      { title: 'Same', audience: 'link' },
      { title: 'alone', audience: 'link' },
      { title: 'for-bob', audience: 'private' },
      { title: 'notes', audience: 'link', slug: 'my-notes' },
      { title: 'secret', audience: 'private' },
      { title: 'site', audience: 'link', fileTotals: { count: 2 } },
    ]);
    expect((await run(['get', 'my-notes'])).out).toBe('# Notes\n');

    const { items: documents } = (await get('/api/documents?sort=createdAt')).data;
    expect(documents).toMatchObject([
      { title: 'Empty', visibility: 'everyone', everyoneRole: 'editor' },
      { title: 'Plan', size: 7 },
      { title: 'Plan', folder: 'Plans', tags: ['a'], size: 24 },
    ]);
    const { content } = (await get(`/api/documents/${documents[2].id}`)).data;
    expect(content).toBe('---\ntitle: Mine\n---\nText');

    const { items: files } = (await get('/api/files?sort=name')).data;
    expect(files.map(({ path, isFavorite }: never) => [path, isFavorite])).toEqual([
      ['/Photos/2026', false],
      ['/Photos/2026/a: b?.txt', false],
      ['/Photos', false],
      ['/twice.txt', expect.any(Boolean)],
      ['/twice.txt', expect.any(Boolean)],
    ]);

    const window = (await get('/api/calendar/events?start=2026-11-01&end=2026-12-31')).data.items;
    expect(window.map(({ title, start: at }: never) => [title, at])).toEqual([
      ['Lunch', '2026-11-23T09:00:00.000Z'],
      ['Later', '2026-11-30T11:00:00.000Z'],
      ['Series', '2026-12-07T09:00:00.000Z'],
      ['Series', '2026-12-14T09:00:00.000Z'],
    ]);

    const again = await run(['import', 'a.zip', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toEqual({
      shares: { imported: 0, present: 7, refused: 0 },
      documents: { imported: 0, present: 3, refused: 0 },
      files: { imported: 0, present: 3, refused: 0 },
      events: { imported: 0, present: 3, refused: 0 },
    });
  });

  it('names what the service refuses, imports the rest, and keeps a name only if it is free', async () => {
    const archive = createOwnData(
      archivedShare('named', { slug: 'taken' }),
      archivedShare('long', { description: 'x'.repeat(2_000) }),
      archivedDocument(1, 'Good', 'Text'),
      archivedDocument(2, 'Bad', 'Text', { tags: Array.from({ length: 30 }, (_, at) => `t${at}`) }),
      archivedFiles([], [{ name: 'a/b', content: 'Hi' }]),
    );
    const { run } = await start(archive);
    await run(['share', '--slug', 'taken'], { input: 'Other' });
    const { code, out, err } = await run(['import', 'a.zip']);
    expect(code).toBe(1);
    expect(out).toBe(
      'shares: 1 imported, 0 already there, 1 refused\ndocuments: 1 imported, 0 already there, 1 refused\nfiles: 0 imported, 0 already there, 1 refused\nevents: 0 imported, 0 already there\n',
    );
    expect(err).toContain('shares/long: Invalid description: must be at most 1000 characters.\n');
    expect(err).toContain('documents/2-Bad.md: Invalid tags: must contain at most 20 tags.\n');
    expect(err).toContain('files/0: Invalid name: must not contain slashes.\n');
    expect(err).toContain('Not kept: names of shares in addresses (1); they are taken.');
    expect(err).toContain('The service has refused what is named above.\n');
  });

  it('goes on after an interruption, and creates nothing twice', async () => {
    const documents = Array.from({ length: 40 }, (_, at) =>
      archivedDocument(at + 1, `Document ${at}`, `Text ${at}`),
    );
    const { run, get } = await start(createOwnData(...documents));
    const count = async () => (await get('/api/documents?pageSize=1')).data.total as number;
    const interrupted = await run(['import', 'a.zip'], {
      during: async (child) => {
        while ((await count()) < 3) await new Promise(setImmediate);
        child.kill('SIGINT');
      },
    });
    expect(interrupted).toMatchObject({
      code: 130,
      out: '',
      err: 'It was interrupted: run handbill import again, and it goes on.\nInterrupted.\n',
    });
    const before = await count();
    expect(before).toBeLessThan(40);
    const { out } = await run(['import', 'a.zip', '--json']);
    expect(JSON.parse(out).documents.refused).toBe(0);
    expect(await count()).toBe(40);
  });
});
