import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signIn, startSession } from '../../support/cli/session.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { keepSecret } from '../../support/run/secrets.ts';

const { email, password } = admin;

describe('a session of handbill', () => {
  it('signs in, shares, lists, edits and deletes', async () => {
    const { service, folder, run, config, login, token } = await signIn();
    expect(login).toEqual({
      code: 0,
      out: '',
      err: `Signed in at ${service.url}. The token is kept in ${config}.\n`,
    });
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect((await run(['whoami'])).out).toBe(
      `Administrator <${email}>, super_admin at ${service.url}\n`,
    );

    const shared = await run(
      ['share', '-l', 'markdown', '-t', 'Notes', '--views', '3', '--expires', '2d', '-'],
      {
        input: '# Hello\n',
      },
    );
    expect(shared).toMatchObject({ code: 0, err: '' });
    expect(shared.out).toMatch(new RegExp(`^${service.url}/s/[\\w-]{22}\n$`));
    const url = shared.out.trim();
    const id = url.slice(-22);

    const listed = await run(['list']);
    expect(listed.out).toMatch(
      new RegExp(`^${id}\t0/3\tactive\tlink\t\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\tNotes\n$`),
    );
    expect(JSON.parse((await run(['list', '--json'])).out)).toMatchObject([
      { id, title: 'Notes', viewLimit: 3, views: 0, protected: false },
    ]);
    expect((await run(['show', url])).out).toContain('views:    0/3\npassword: no\n');

    const editor = join(folder, 'editor');
    await writeFile(editor, '#!/bin/sh\nprintf "Edited\\n" >> "$1"\n');
    await chmod(editor, 0o700);
    expect(await run(['edit', id], { env: { EDITOR: editor } })).toEqual({
      code: 0,
      out: `${url}\n`,
      err: '',
    });
    expect((await run(['edit', id], { env: { EDITOR: 'true' } })).err).toBe(
      'Nothing has changed.\n',
    );
    expect((await run(['get', url])).out).toBe('# Hello\nEdited\n');
    expect(JSON.parse((await run(['show', id, '--json'])).out).views).toBe(0);
    // What was edited is deleted.
    expect((await readdir(folder)).filter((name) => name.startsWith('handbill-'))).toEqual([]);

    expect(await run(['rm', url])).toEqual({ code: 0, out: `Deleted ${id}\n`, err: '' });
    expect(await run(['get', id])).toEqual({ code: 1, out: '', err: 'Share not found.\n' });
    const audit = await send(`${service.url}/api/auth/me`, { token });
    expect(audit.status).toBe(200);
  });

  it('shares a folder, changes it, and saves it as it was', async () => {
    const { folder, run } = await signIn();
    const page =
      '<!doctype html><link rel="stylesheet" href="/css/a.css"><a href="more.html">More</a>';
    const site = {
      'index.html': page,
      'more.html': '<!doctype html><script>let b</script><p>More</p>',
      'css/a.css': 'p { color: red }',
      'img/a ä.bin': Buffer.from([0, 1, 255]),
    };
    for (const [path, content] of Object.entries(site)) {
      await mkdir(dirname(join(folder, 'dist', path)), { recursive: true });
      await writeFile(join(folder, 'dist', path), content);
    }
    const shared = await run(['share', 'dist', '--views', '9']);
    expect(shared).toMatchObject({ code: 0, err: '' });
    const url = shared.out.trim();
    expect(await run(['get', url, '-o', 'copy'])).toEqual({
      code: 0,
      out: '',
      err: 'copy: 4 files\n',
    });
    const saved = async (path: string) => readFile(join(folder, 'copy', path));
    for (const [path, content] of Object.entries(site).slice(1)) {
      expect([path, await saved(path)]).toEqual([path, Buffer.from(content)]);
    }
    // What is stored works at any address.
    expect((await saved('index.html')).toString()).toBe(page.replace('"/css', '"./css'));
    expect((await run(['get', url, '-o', 'copy'])).err).toBe(
      'copy exists: pass --output with another path.\n',
    );

    await rm(join(folder, 'dist/css'), { recursive: true });
    expect(await run(['share', 'dist', '--update', url])).toEqual({
      code: 0,
      out: `${url}\n`,
      err: '/css/a.css is missing (index.html, line 1)\n',
    });
    expect((await run(['get', url, '-o', 'next'])).err).toBe('next: 3 files\n');
    expect(await readdir(join(folder, 'next'))).toEqual(['img', 'index.html', 'more.html']);
  });

  it('shares HTML that no request takes', async () => {
    const { folder, run } = await signIn();
    const html = `<p>${'"\n'.repeat(1024 * 1024)}`;
    await writeFile(join(folder, 'report.html'), html);
    const { code, out } = await run(['share', 'report.html']);
    expect(code).toBe(0);
    expect((await run(['get', out.trim(), '-o', 'copy.html'])).code).toBe(0);
    expect((await readFile(join(folder, 'copy.html'), 'utf8')) === html).toBe(true);
  });

  it('shares files, with a password that is generated or given', async () => {
    const { service, token, folder, run } = await signIn();
    await writeFile(join(folder, 'app.ts'), 'let a = 1;\n');
    await writeFile(join(folder, 'page.html'), '<p>Hi</p>');
    const code = await run(['share', 'app.ts', '--slug', 'app-ts', '--random-password']);
    expect(code.out).toMatch(new RegExp(`^${service.url}/s/app-ts\n[A-Za-z0-9]{6}\n$`));
    expect((await run(['get', 'app-ts'])).out).toBe('let a = 1;\n');
    const page = await run(['share', 'page.html', '-p', 'abc123', '--json']);
    const { id, language } = JSON.parse(page.out);
    expect(language).toBe('html');
    // Somebody else needs the password.
    const nobody = { HOME: join(folder, 'nobody'), HANDBILL_URL: service.url };
    expect((await run(['get', id], { env: nobody })).code).toBe(1);
    expect((await run(['get', id, '-p', 'abc123'], { env: nobody })).out).toBe('<p>Hi</p>');
    // So does a recipient, by a link of their own.
    const links = `${service.url}/api/share/${id}/links`;
    const link = await send(links, { method: 'POST', token, body: { label: 'Mei' } });
    const given = ['get', link.body.url, '-p', 'abc123', '--json'];
    for (const env of [nobody, {}]) {
      const { out } = await run(given, { env });
      expect(JSON.parse(out)).toMatchObject({ id: link.body.id, url: link.body.url });
      expect(out).not.toContain(id);
    }
    const both = await run(['share', 'app.ts', 'page.html']);
    expect((await run(['get', both.out.trim()])).out).toContain('## `page.html`\n');
    expect((await run(['rm', 'app-ts', id, both.out.trim()])).code).toBe(0);
    expect((await run(['list'])).out).toBe('');
  });

  it('shares with some people, and says who can open what', async () => {
    const { service, folder, run } = await signIn();
    const ben = 'ben@example.com';
    await send(`${service.url}/api/auth/register`, {
      method: 'POST',
      body: {
        email: ben,
        name: 'Ben',
        password: 'correct horse',
        confirmPassword: 'correct horse',
      },
    });
    const share = (...args: string[]) => run(['share', ...args], { input: 'Hi' });
    const shared = await share('--slug', 'for-ben', '--for', `${ben},`, '--for', ben);
    expect(shared).toEqual({ code: 0, out: `${service.url}/s/for-ben\n`, err: '' });
    const own = (await share('--private')).out.trim();
    expect((await share('--members')).err).toMatch(/^Invalid audience: must not be members while/);
    expect((await share('--for', 'nobody@example.com')).err).toMatch(/^Invalid readers: .*nobody@/);
    const rows = (await run(['list'])).out.trim().split('\n');
    expect(rows.map((row) => row.split('\t').slice(0, 4))).toEqual([
      [own.slice(-22), '0', 'active', 'private'],
      ['for-ben', '0', 'active', '1 person'],
    ]);
    const { out } = await run(['show', 'for-ben']);
    expect(out).toContain(`audience: 1 person\npeople:   Ben <${ben}>\n`);
    const nobody = { HOME: join(folder, 'nobody'), HANDBILL_URL: service.url };
    expect(await run(['get', own], { env: nobody })).toEqual({
      code: 1,
      out: '',
      err: 'Sign in to see this share: run handbill login.\n',
    });
  });

  it('says who can open a share if the service decides that not everyone can', async () => {
    const { run, service, token } = await signIn();
    const made = await send(`${service.url}/api/auth/tokens`, {
      method: 'POST',
      token: (await send(`${service.url}/api/auth/login`, { method: 'POST', body: admin })).body
        .token,
      body: { name: 'notes', permissions: ['shares:create'], ceiling: { maxAudience: 'people' } },
    });
    keepSecret('API token', made.body.data.token);
    const share = (key: string) =>
      run(['share'], { input: 'Hi', env: { HANDBILL_URL: service.url, HANDBILL_TOKEN: key } });
    expect((await share(made.body.data.token)).err).toBe(
      'Only you can open it until you choose people.\n',
    );
    expect((await share(token)).err).toBe('');
  });

  it('asks people without an account for content', async () => {
    const { run, service } = await signIn();
    const asked = await run(['request', 'Logs of the outage', '-n', '3', '--expires', '2d']);
    expect([asked.code, asked.err]).toEqual([0, '']);
    expect(asked.out).toMatch(new RegExp(`^${service.url}/r/[\\w-]{22}\n$`));
    const page = await (await fetch(asked.out.trim())).text();
    expect(page).toContain('Logs of the outage');
    const { out } = await run(['request', 'More', '--note', 'All', '-p', 'Sesam1', '--json']);
    expect(JSON.parse(out)).toMatchObject({ submissions: 1, note: 'All', protected: true });
    expect((await run(['request', 'Many', '-n', '101'])).err).toBe(
      'Invalid submissions: must be an integer from 1 to 100.\n',
    );
  });

  it('shares plain text, piped or a file, as lines', async () => {
    const { folder, run } = await signIn();
    const text = '# note\r\n__init__.py';
    await writeFile(join(folder, 'notes.txt'), text);
    const piped = (await run(['share'], { input: text })).out.trim();
    const file = (await run(['share', 'notes.txt'])).out.trim();
    for (const [url, name] of [
      [piped, 'input.txt'],
      [file, 'notes.txt'],
    ] as const) {
      expect((await run(['get', url])).out).toBe(text);
      const { content } = JSON.parse((await run(['get', url, '--json'])).out);
      expect(content).toBe(`\`\`\`text title="${name}" noeol\r\n${text}\r\n\`\`\`\r\n`);
    }
    await writeFile(join(folder, 'latin.md'), Buffer.from('Gr\xfc\xdfe', 'latin1'));
    const latin = await run(['share', 'latin.md']);
    expect(latin.err).toBe('latin.md isn’t in UTF-8. It was read as Windows-1252.\n');
    expect((await run(['get', latin.out.trim()])).out).toBe('Grüße');
  });

  it('keeps what can’t be saved, and says where', async () => {
    const { folder, run } = await signIn();
    const { out } = await run(['share', '-l', 'markdown'], { input: 'One' });
    const other = join(folder, 'other');
    // Somebody else saves while the editor is open.
    await writeFile(
      other,
      `#!/bin/sh\nEDITOR='printf Two >' "${process.execPath}" "${join(import.meta.dirname, '../../../infra/cli/bin/handbill.cjs')}" edit ${out.trim()} >/dev/null\nprintf Mine > "$1"\n`,
    );
    await chmod(other, 0o700);
    const { code, err } = await run(['edit', out.trim()], { env: { EDITOR: other } });
    expect(code).toBe(1);
    const [, file = ''] =
      err.match(/^The share was changed meanwhile\. Your text is in (.+)\n$/) ?? [];
    expect(await readFile(file, 'utf8')).toBe('Mine');
    expect((await run(['get', out.trim()])).out).toBe('Two');
  });

  it('converts Markdown without a sign-in', async () => {
    const { service, run } = await startSession();
    const { out, code } = await run(['markdown'], {
      input: 'Some *Markdown*',
      env: { HANDBILL_URL: service.url },
    });
    expect([code, out.includes('<p>Some <em>Markdown</em></p>')]).toEqual([0, true]);
  });

  it('replaces the token of the last sign-in, and keeps one that is given', async () => {
    const { service, run, config, token: first } = await signIn();
    await run(['login', '--email', email], { input: password });
    const { token, tokenId } = JSON.parse(await readFile(config, 'utf8'));
    keepSecret('API token', token);
    expect((await send(`${service.url}/api/auth/me`, { token: first })).status).toBe(401);
    expect(tokenId).toBeGreaterThan(0);
    expect(await run(['login', '--token', '-'], { input: first })).toMatchObject({
      code: 1,
      err: `Not signed in at ${service.url}: run handbill login.\n`,
    });
    expect((await run(['login', '--token', token])).code).toBe(0);
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({ url: service.url, token });
    expect((await run(['login'], { input: `${email}\nwrong password\n` })).code).toBe(1);
    expect((await run(['whoami'])).code).toBe(0);
  });
});
