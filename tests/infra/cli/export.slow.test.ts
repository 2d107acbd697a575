import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
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
import { createShell } from '../../support/cli/handbill.ts';
import { signIn } from '../../support/cli/session.ts';
import { readArchive } from '../../support/exports/exports.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send, temporaryFolder } from '../../support/run/process.ts';

const { email, password } = admin;

const day = 86_400_000;
const inAWeek = new Date(Date.now() + 7 * day).toISOString();

const content = createOwnData(
  archivedShare('notes', { description: 'Some', expiresAt: inAWeek }, '# N\r\n'),
  archivedShare(
    'page',
    { language: 'html', content: 'content.md', viewsLeft: 3, notify: true, readersCanEnd: true },
    '<!doctype html><p>Hi</p>',
  ),
  archivedShare('mine', { audience: 'private', titleIsGiven: false }, '# From the text'),
  archivedShare('same-1', { title: 'Same' }, '# Same'),
  archivedShare('same-2', { title: 'Same' }, '# Same'),
  archivedSite('site', 'index.html', {
    'index.html': '<!doctype html><img src="img/a.png"><script src="a.js"></script>',
    'a.js': 'let a = 1;',
    'img/a.png': Buffer.from([0, 1, 255]),
  }),
  archivedDocument(1, 'Plan: "A"', '---\ntitle: Mine\n---\r\nÄ', { folder: 'Plans', tags: ['a'] }),
  archivedDocument(2, 'Empty', '', { visibility: 'everyone', everyoneRole: 'editor' }),
  archivedFiles(
    ['Photos', 'Photos/2026', 'empty'],
    [
      { name: 'a: b?.txt', content: 'One', folder: 'Photos/2026' },
      { name: 'twice.txt', content: 'Two', fields: { isFavorite: true } },
      { name: 'twice.txt', content: 'Two' },
      { name: 'large.bin', content: Buffer.alloc(5 * 1024 ** 2, 'large') },
    ],
  ),
  archivedCalendar(
    archivedEvent('Lunch', { reminders: [10], color: 'teal', description: 'With\nBob' }),
    archivedEvent('Day off', { allDay: true, start: '1999-12-24', end: '1999-12-26' }),
    archivedEvent('Series', {
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
    }),
  ),
);

/** What the service sets anew: ids, times, and what is made of them. */
const setAnew = new Set([
  ...['id', 'url', 'version', 'views', 'createdAt', 'updatedAt', 'firstViewedAt', 'lastViewedAt'],
  ...['editedAt', 'owner_id'],
]);

const withoutAnew = (text: string): unknown =>
  JSON.parse(text, (name, value) => (setAnew.has(name) ? undefined : value));

/** Replaces the ids in the names of shares and documents by numbers, in their order. */
const renumber = (paths: readonly string[]): ReadonlyMap<string, string> => {
  const ids = new Map<string, string>();
  const toNumber = (id: string) => {
    ids.set(id, ids.get(id) ?? String(ids.size));
    return ids.get(id) as string;
  };
  return new Map(
    paths.map((path) => [
      path,
      path
        .replace(/(?<=^shares\/)[\w-]{22}(?=\/)/, toNumber)
        .replace(/(?<=^documents\/)\d+(?=-)/, toNumber),
    ]),
  );
};

/** What an archive has of what can be imported, without what is set anew. */
const toComparable = (archive: Readonly<Record<string, string>>) => {
  const compared = Object.keys(archive).filter((path) =>
    /^(shares|documents|files|trash)\/|^files\.json$|^calendar\.json$/.test(path),
  );
  const names = renumber(compared);
  const read = (path: string): unknown => {
    const text = archive[path] ?? '';
    if (path.endsWith('.json')) return withoutAnew(text);
    return path.startsWith('documents/') ? text.replace(/^(id|version|\w+At): .*$/gm, '$1') : text;
  };
  return Object.fromEntries(compared.map((path) => [names.get(path), read(path)]));
};

/** Creates another user, who may do everything. */
const createUser = async (url: string, token: string) => {
  const other = { email: 'other@example.com', password };
  const { body } = await send(`${url}/api/auth/register`, {
    method: 'POST',
    body: { ...other, confirmPassword: password, name: 'Other' },
  });
  await send(`${url}/api/users/${body.user.id}`, {
    method: 'PUT',
    token,
    body: { role: 'super_admin' },
  });
  return other;
};

describe('handbill export and import', () => {
  it('take all from one account to another, equal but for ids and times', async () => {
    const { run, folder, service, token } = await signIn();
    await writeFile(join(folder, 'a.zip'), content);
    expect((await run(['import', 'a.zip'])).code).toBe(0);
    const exported = await run(['export', '-o', 'mine.zip'], { input: `${password}\n` });
    expect(exported).toMatchObject({ code: 0, out: 'mine.zip\n' });
    expect((await stat(join(folder, 'mine.zip'))).mode & 0o777).toBe(0o600);

    const other = await createUser(service.url, token);
    const elsewhere = await temporaryFolder();
    const { run: runAsOther } = createShell(elsewhere);
    const credentials = `${other.email}\n${other.password}\n`;
    await runAsOther(['login', service.url], { input: credentials });
    const imported = await runAsOther(['import', join(folder, 'mine.zip'), '--json']);
    expect(imported).toMatchObject({ code: 0, err: expect.not.stringContaining('Not kept') });
    const again = await runAsOther(['export', '-o', 'theirs.zip'], { input: `${password}\n` });
    expect(again).toMatchObject({ code: 0, out: 'theirs.zip\n' });

    const [mine, theirs] = await Promise.all(
      [join(folder, 'mine.zip'), join(elsewhere, 'theirs.zip')].map(async (path) =>
        toComparable(await readArchive(await readFile(path))),
      ),
    );
    expect(Object.keys(mine ?? {})).toHaveLength(22);
    expect(theirs).toEqual(mine);
  });

  it('uses the archive of the last hour again, and goes on with a download that was cut off', async () => {
    const { run, folder } = await signIn();
    const first = await run(['export', '-o', 'a.zip'], { input: `${password}\n` });
    expect(first.code).toBe(0);
    const whole = await readFile(join(folder, 'a.zip'));
    const { id } = JSON.parse((await run(['whoami', '--json'])).out);
    expect(id).toEqual(expect.any(Number));
    expect((await run(['export', '-o', 'a.zip'], { input: `${password}\n` })).err).toBe(
      'a.zip exists: pass --output with another path.\n',
    );
    const second = await run(['export', '--email', email, '-o', 'b.zip'], {
      input: `${password}\n`,
    });
    expect(second).toMatchObject({
      code: 0,
      err: expect.stringContaining('is used: the service makes one an hour.\n'),
    });
    expect(await readFile(join(folder, 'b.zip'))).toEqual(whole);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('needs the folder that it saves to, before it asks for anything', async () => {
    const { run } = createShell(await temporaryFolder());
    const env = { HANDBILL_URL: 'http://127.0.0.1:1' };
    expect(await run(['export', '-o', 'nowhere/a.zip'], { env })).toEqual({
      code: 2,
      out: '',
      err: 'There is no folder nowhere.\n',
    });
  });

  it('asks for the right password', async () => {
    const { run, folder } = await signIn();
    expect(await run(['export'], { input: 'wrong password\n' })).toEqual({
      code: 1,
      out: '',
      err: 'Incorrect email or password.\n',
    });
    expect((await readdir(folder)).filter((name) => name.includes('zip'))).toEqual([]);
  });
});
