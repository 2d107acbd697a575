// Sealed shares from the shell: the built command, and a service as `npm start` makes it.
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { signIn } from '../../support/cli/session.ts';
import { send, temporaryFolder } from '../../support/run/process.ts';

const text = '# Codes\n\nThe safe opens with 4711-Falke.\n';
const passphrase = 'walnut tango 88';

const keep =
  'Keep the link: without its key, nobody can open the share, and the service can’t help.\n';

const start = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  const { service, folder, run, token } = await signIn();
  for (const [path, content] of Object.entries({ 'codes.md': text, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const read = async (link: string) => {
    const id = link.replace(/#.*/, '').slice(-22);
    return (await send(`${service.url}/api/share?id=${id}&mine=true`, { token })).body;
  };
  /** Somebody else, who isn't signed in anywhere. */
  const away = await temporaryFolder();
  const visitor = createShell(away);
  const env = { HANDBILL_URL: service.url };
  const visit = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    visitor.run(args, { env: { ...env, ...more } });
  return { url: service.url, folder, away, run, read, visit };
};

describe('handbill share --sealed', () => {
  it('seals a text, whose link opens it for anyone who has it, and for nobody else', async () => {
    const { url, run, read, visit } = await start();
    const shared = await run(['share', 'codes.md', '--sealed', '--views', '2']);
    expect(shared).toMatchObject({ code: 0, err: keep });
    expect(shared.out).toMatch(new RegExp(`^${url}/s/[\\w-]{22}#k1\\.[\\w-]{43}\n$`));
    const link = shared.out.trim();
    const stored = await read(link);
    expect(stored).toMatchObject({ sealed: true, passphrase: false, title: null, views: 0 });
    expect(JSON.stringify(stored)).not.toContain('Falke');
    expect(JSON.stringify(stored)).not.toContain('codes');

    const wrong = `${link.slice(0, -2)}${link.endsWith('AA') ? 'QQ' : 'AA'}`;
    expect(await visit(['get', wrong])).toEqual({
      ...{ code: 1, out: '', err: 'Incorrect key. Check the link and the passphrase.\n' },
    });
    const bare = link.replace(/#.*/, '');
    const needed =
      'The share is sealed. Give its whole link with the key behind the #, in quotes.\n';
    expect(await visit(['get', bare])).toEqual({ code: 1, out: '', err: needed });
    expect(await run(['get', bare])).toEqual({ code: 1, out: '', err: needed });
    expect((await read(link)).views).toBe(0);

    expect(await visit(['get', link])).toEqual({ code: 0, out: text, err: '' });
    expect((await read(link)).views).toBe(1);
    // One's own takes no view.
    expect(await run(['get', link])).toEqual({ code: 0, out: text, err: '' });
    expect((await read(link)).views).toBe(1);
    expect((await run(['list'])).out).toContain('\tactive\tlink, sealed\t');
    expect((await run(['show', link])).out).toMatch(/sealed: +yes, without a passphrase, /);
  });

  it('joins a passphrase to the key, which isn’t in the link', async () => {
    const { run, visit } = await start();
    const shared = await run(['share', 'codes.md', '--sealed', '--passphrase', passphrase]);
    expect(shared.err).toBe(`${keep}Send the passphrase another way than the link.\n`);
    const link = shared.out.trim();
    expect(link).toMatch(/#p1\./);
    expect(await visit(['get', link])).toMatchObject({
      code: 2,
      err: 'There is no terminal to ask for the passphrase at: set HANDBILL_PASSPHRASE, or pass --passphrase=<text>.\n',
    });
    expect(await visit(['get', link, '--passphrase', 'walnut'])).toMatchObject({
      code: 1,
      out: '',
    });
    expect((await visit(['get', link], { HANDBILL_PASSPHRASE: passphrase })).out).toBe(text);
    // Who sets it wants it, also without the option.
    const set = await run(['share', 'codes.md', '--sealed'], {
      env: { HANDBILL_PASSPHRASE: passphrase },
    });
    expect(set.out).toMatch(/#p1\./);
    expect((await visit(['get', link, `--passphrase=${passphrase}`])).out).toBe(text);
  });

  it('seals a folder: its page is the text, all else are downloads', async () => {
    const files = {
      'plans/index.html': '<h1>Plans</h1>',
      'plans/img/a.bin': Uint8Array.from([0, 1, 255]),
      'plans/notes/b.txt': 'B',
    };
    const { away, run, read, visit } = await start(files);
    const shared = await run(['share', 'plans', '--sealed', '--json']);
    const { url: link } = JSON.parse(shared.out);
    const stored = await read(link);
    expect(stored).toMatchObject({ language: 'html', main: 'index.html' });
    for (const { path } of stored.files.slice(1)) expect(path).toMatch(/^[0-9a-f-]{36}\.sealed$/);
    expect((await visit(['get', link])).err).toBe(
      'It has files: “img/a.bin”, “notes/b.txt”. --output <folder> saves them.\n',
    );
    expect(await visit(['get', link, '-o', 'copy'])).toMatchObject({ code: 0, out: '' });
    const saved = async (path: string) => Uint8Array.from(await readFile(join(away, 'copy', path)));
    for (const [path, content] of Object.entries(files)) {
      const expected = Uint8Array.from(Buffer.from(content));
      expect([path, await saved(path.slice('plans/'.length))]).toEqual([path, expected]);
    }
  });

  it('seals files without a page, and a single one', async () => {
    const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 255]);
    const { folder, run } = await start({ 'a.png': bytes, 'key.bin': bytes });
    const one = (await run(['share', 'a.png', '--sealed'])).out.trim();
    expect((await run(['get', one, '-o', 'b.png'])).code).toBe(0);
    expect(Uint8Array.from(await readFile(join(folder, 'b.png')))).toEqual(bytes);
    const two = (await run(['share', 'a.png', 'key.bin', '--sealed'])).out.trim();
    expect((await run(['get', two, '-o', 'both'])).code).toBe(0);
    expect((await readdir(join(folder, 'both'))).sort()).toEqual(['a.png', 'key.bin']);
  });

  it('keeps the link of a share that is changed, and refuses another key', async () => {
    const { run, read, folder } = await start({ 'next.md': '# Next\n', 'a.png': 'picture' });
    const link = (await run(['share', 'codes.md', '--sealed'])).out.trim();
    const other = (await run(['share', 'next.md', '--sealed'])).out.trim();
    const mixed = `${link.replace(/#.*/, '')}${other.slice(other.indexOf('#'))}`;
    const refused = await run(['share', 'next.md', '--update', mixed]);
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('can’t be opened with this key'),
    });
    expect(await run(['share', 'next.md', '--update', link])).toEqual({
      code: 0,
      out: `${link}\n`,
      err: '',
    });
    expect((await run(['get', link])).out).toBe('# Next\n');
    await run(['share', 'next.md', 'a.png', '--update', link]);
    expect((await read(link)).fileTotals.count).toBe(2);
    await run(['share', 'next.md', '--update', link]);
    expect(await read(link)).not.toHaveProperty('fileTotals');

    const editor = join(folder, 'editor');
    await writeFile(editor, '#!/bin/sh\nprintf "Edited\\n" >> "$1"\n');
    await chmod(editor, 0o700);
    const edited = await run(['edit', link], { env: { EDITOR: editor } });
    expect(edited).toEqual({ code: 0, out: `${link}\n`, err: '' });
    expect((await run(['get', link])).out).toBe('# Next\nEdited\n');
    expect((await readdir(folder)).filter((name) => name.startsWith('handbill-'))).toEqual([]);
    expect((await run(['edit', link.replace(/#.*/, '')])).err).toMatch(/^The share is sealed\. /);
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      'a password',
      ['codes.md', '--sealed', '--password', 'Abc123'],
      /--password is not for a sealed share/,
    ],
    ['a random password', ['codes.md', '--sealed', '-r'], /--random-password is not for a sealed/],
    ['a passphrase alone', ['codes.md', '--passphrase', 'x'], /--passphrase is for sealed shares/],
    ['a file as the passphrase', ['--sealed', '--passphrase', 'codes.md'], /put files first/],
    ['an empty passphrase', ['codes.md', '--sealed', '--passphrase='], /The passphrase is empty/],
    ['a blank passphrase', ['codes.md', '--sealed', '--passphrase=  '], /The passphrase is empty/],
    ['no passphrase to ask for', ['codes.md', '--sealed', '--passphrase'], /no terminal to ask/],
    [
      'an update without the key',
      ['codes.md', '--sealed', '--update', 'abc'],
      /Only a new share can be sealed/,
    ],
    [
      'half a key',
      ['codes.md', '--update', 'http://localhost/s/a#k1.abc'],
      /The key behind the # is incomplete/,
    ],
  ])('refuses %s in words', async (_, args, message) => {
    const { run } = await start();
    const ran = await run(['share', ...args]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(message);
    expect(ran.err).not.toContain('k1.abc');
  });
});
