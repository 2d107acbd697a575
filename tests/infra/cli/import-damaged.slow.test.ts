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

const start = async (archive: Buffer) => {
  const session = await signIn();
  await writeFile(join(session.folder, 'a.zip'), archive);
  const { url } = session.service;
  const ask = async (path: string, method = 'GET') =>
    (await send(`${url}${path}`, { method, token: session.token })).body;
  return { ...session, ask };
};

const page = '<!doctype html><img src="a.png">';

/** A share that says of itself what `files` says. */
const listing = (name: string, files: readonly object[], content: string | Uint8Array = 'x') =>
  archivedSite(name, 'a.bin', { 'a.bin': content }, { files });

const row = (path: string) => ({ path, size: 1, sha256: '0' });

describe('handbill import of what is damaged', () => {
  it('takes names that have U+FFFD', async () => {
    const { run } = await start(
      createOwnData(
        archivedSite('t', 'index.html', { 'index.html': page, 'a\ufffd.txt': 'Hi' }),
        archivedDocument(1, 'mangled \ufffd title', 'Text'),
        archivedFiles([], [{ name: 'caf\ufffd.txt', content: 'Hi' }]),
        archivedCalendar(archivedEvent('caf\ufffd')),
      ),
    );
    for (const imported of [1, 0]) {
      const { code, out } = await run(['import', 'a.zip', '--json']);
      const each = { imported, present: 1 - imported, refused: 0 };
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({ shares: each, documents: each, files: each, events: each });
    }
  });

  it('reads no share that is larger than the service takes', async () => {
    const zeros = Buffer.alloc(3 * 1024 ** 2);
    const large = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.bin`, zeros]));
    const { run } = await start(
      createOwnData(
        listing(
          'many',
          Array.from({ length: 150_000 }, (_, at) => row(`${at}.bin`)),
        ),
        listing('again', [row('a.bin'), row('a.bin')], zeros),
        archivedSite('large', '0.bin', large),
        archivedShare('good'),
      ),
    );
    const { code, out, err } = await run(['import', 'a.zip']);
    expect(out).toContain('shares: 1 imported, 0 already there, 3 refused\n');
    expect(err).toContain('shares/many: It has 150000 files. A share can have 200.\n');
    expect(err).toContain('shares/again: “a.bin” is there twice.\n');
    expect(err).toContain('shares/large: Its files have 27 MB. A share can have 25 MB.\n');
    expect(code).toBe(1);
  });

  it('names what is damaged, and imports the rest', async () => {
    const { run } = await start(
      createOwnData(
        { 'shares/broken/share.json': '{broken', 'shares/latin/share.json': Buffer.from([0xe4]) },
        { 'shares/list/share.json': '[]' },
        archivedShare('good'),
        archivedDocument(1, 'Good', 'Text'),
        archivedFiles(
          ['bad\u0007folder'],
          [
            { name: 'a.txt', content: 'A', folder: 'nowhere' },
            { name: 'b.txt', content: 'B', folder: 'bad\u0007folder' },
            { name: 'c.txt', content: 'C' },
          ],
        ),
        archivedCalendar(
          archivedEvent('Far', {
            start: '+275760-09-13T00:00:00Z',
            end: '+275760-09-13T00:00:00Z',
          }),
          archivedEvent('Late', { start: '9999-12-31T00:00:00Z', end: '9999-12-31T01:00:00Z' }),
          archivedEvent('Two\nservice: 999 imported'),
          archivedEvent('Lunch'),
        ),
      ),
    );
    const { code, out, err } = await run(['import', 'a.zip']);
    expect(out).toMatch(/^shares: 1 imported, 0 already there, 3 refused\ndocuments: 1 imported/);
    expect(out).toMatch(
      /\nfiles: 1 imported, 0 already there, 3 refused\nevents: 1 imported, 0 already there, 3 refused/,
    );
    expect(err).toContain('shares/broken: “shares/broken/share.json” is damaged: it isn’t JSON.\n');
    expect(err).toContain('shares/latin: “shares/latin/share.json” isn’t in UTF-8.\n');
    expect(err).toContain('shares/list: “shares/list/share.json” is damaged.\n');
    expect(err).toContain('bad\\x07folder: ');
    expect(err).toContain('calendar.json, Far: Invalid start');
    expect(err).toContain('calendar.json, Two\\x0aservice: 999 imported: Invalid title');
    expect(err).not.toContain('run handbill import again');
    expect(code).toBe(1);
    const again = JSON.parse((await run(['import', 'a.zip', '--json'])).out);
    expect(Object.values(again).map((counts) => (counts as { imported: number }).imported)).toEqual(
      [0, 0, 0, 0],
    );
  });

  it('imports other kinds if the list of one is damaged', async () => {
    const { run } = await start(
      createOwnData(
        { 'files.json': '{', 'calendar.json': '[' },
        archivedDocument(1, 'Good', 'Text'),
      ),
    );
    const { code, out, err } = await run(['import', 'a.zip']);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('documents: 1 imported, 0 already there\n'),
    });
    expect(err).toContain('files: “files.json” is damaged: it isn’t JSON.\n');
    expect(err).toContain('events: “calendar.json” is damaged: it isn’t JSON.\n');
  });
});

describe('handbill import again', () => {
  it('leaves shares that have ended since as they are', async () => {
    const { run, ask } = await start(
      createOwnData(
        archivedShare('closed'),
        archivedShare('once', { titleIsGiven: false, viewsLeft: 1 }, '# Once'),
        archivedShare('open'),
      ),
    );
    expect((await run(['import', 'a.zip'])).out).toContain('shares: 3 imported');
    const { items } = await ask('/api/share?mine=true');
    const find = (title: string) => items.find((one: { title: string }) => one.title === title).id;
    await ask(`/api/share?id=${find('Once')}`);
    await ask(`/api/share/${find('closed')}/end`, 'POST');
    const again = await run(['import', 'a.zip']);
    expect(again.out).toContain('shares: 0 imported, 3 already there\n');
    expect(again.err).toContain('Not kept: shares that have ended since (2).\n');
    expect((await ask('/api/share?mine=true')).items).toHaveLength(3);
  });

  it('finds events of which the archive lacks fields', async () => {
    const { run } = await start(
      createOwnData(
        archivedCalendar(
          { title: 'Short', owner: null, start: '2026-12-09T09:00:00.000Z' },
          archivedEvent('Lunch'),
          { title: 'Lunch', owner: null, start: '2026-11-23T09:00:00.000Z' },
        ),
      ),
    );
    expect((await run(['import', 'a.zip'])).out).toContain('events: 3 imported, 0 already there\n');
    expect((await run(['import', 'a.zip'])).out).toContain('events: 0 imported, 3 already there\n');
  });
});
