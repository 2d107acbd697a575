// An assistant's session: the built command between a client that the test plays and a service as `npm start` makes it.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { startAssistant } from '../../support/cli/mcp.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send, temporaryFolder } from '../../support/run/process.ts';
import { keepSecret } from '../../support/run/secrets.ts';

const start = async (permissions?: readonly string[]) => {
  const { url } = await startFreshService();
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const made = await send(`${url}/api/auth/tokens`, {
    method: 'POST',
    token: body.accessToken,
    body: {
      name: 'assistant',
      currentPassword: admin.password,
      ...(permissions && { permissions }),
    },
  });
  const { token } = made.body.data;
  keepSecret('API token', token);
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  await mkdir(join(folder, 'dist/img'), { recursive: true });
  await writeFile(join(folder, 'dist/index.html'), '<title>Mill</title><img src="img/a.png">');
  await writeFile(join(folder, 'dist/img/a.png'), 'picture');
  await writeFile(join(folder, 'dist/.env'), 'SECRET=1');
  await writeFile(join(folder, 'notes.md'), '# Notes\n');
  const env = { HANDBILL_URL: url, HANDBILL_TOKEN: token };
  return { url, token, folder, env, ...startAssistant({ folder, home, env }) };
};

const read = async (url: string, id: string, token: string) =>
  (await send(`${url}/api/share?id=${id}&mine=true`, { token })).body;

describe('an assistant', () => {
  it('publishes a folder privately, reads receipts, puts a file, updates after a 412, and ends', async () => {
    const { url, token, ask, call, end } = await start();
    const { tools } = (await ask('tools/list')).result;
    const create = tools.find(({ name }: { name: string }) => name === 'share_create');
    expect(create.inputSchema.properties).toHaveProperty('path');
    expect(create.inputSchema.properties).not.toHaveProperty('upload');
    expect(create.inputSchema.required).toEqual([]);

    const created = await call('share_create', { path: 'dist', title: 'Mill', expiresIn: 604_800 });
    expect(created).toMatchObject({
      resultType: 'complete',
      structuredContent: { url: expect.stringContaining(`${url}/s/`), audience: 'private' },
      content: [{ type: 'text' }],
    });
    const { id } = created.structuredContent;
    const stored = await read(url, id, token);
    expect(stored).toMatchObject({ title: 'Mill', audience: 'private', main: 'index.html' });
    expect(stored.files.map(({ path }: { path: string }) => path).sort()).toEqual([
      'img/a.png',
      'index.html',
    ]);
    expect(await send(`${url}/api/share?id=${id}`)).toMatchObject({ status: 401 });

    expect(await call('share_receipts', { id })).toMatchObject({ resultType: 'complete' });
    const put = await call('share_file_put', { id, from: 'notes.md', path: 'about/notes.md' });
    expect(put.structuredContent).toMatchObject({
      path: 'about/notes.md',
      fileTotals: { count: 3 },
    });

    const late = await call('share_update', { id, version: stored.version, path: 'notes.md' });
    expect(late).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('share_read') }],
    });
    const { version } = (await call('share_read', { id })).structuredContent;
    const updated = await call('share_update', { id, version, path: 'dist', title: 'Windmill' });
    expect(updated.isError).toBeUndefined();
    expect(await read(url, id, token)).toMatchObject({
      title: 'Windmill',
      audience: 'private',
      fileTotals: { count: 2 },
    });

    expect((await call('share_end', { id })).isError).toBeUndefined();
    expect((await read(url, id, token)).status).toBe('ended');
    expect(await end()).toMatchObject({ code: 0 });
  });

  it('publishes a text, a picture and a document by their paths', async () => {
    const { url, token, folder, call, end } = await start();
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await writeFile(join(folder, 'dot.png'), picture);
    const notes = await call('share_create', { path: 'notes.md' });
    expect(await read(url, notes.structuredContent.id, token)).toMatchObject({
      title: 'notes',
      content: '# Notes\n',
      language: 'markdown',
      audience: 'private',
    });
    const image = await call('share_create', { path: 'dot.png', audience: 'link' });
    expect(image.isError && image.content).toBeFalsy();
    expect(await read(url, image.structuredContent.id, token)).toMatchObject({
      title: 'dot.png',
      audience: 'link',
      files: [{ path: 'dot.png' }],
    });
    const document = await call('document_create', { path: 'notes.md', folder: 'Mill' });
    expect(document.structuredContent).toMatchObject({ title: 'notes.md', folder: 'Mill' });
    await end();
  });

  it('is refused what is outside, and what its token may not', async () => {
    const { url, token, folder, call, end } = await start(['shares:view']);
    await symlink('/etc/hostname', join(folder, 'dist/host.txt'));
    await symlink('/etc', join(folder, 'etc'));
    for (const [path, text] of [
      ['../x', '../x: is outside of'],
      ['/etc/passwd', '/etc/passwd: is outside of'],
      ['etc/passwd', 'etc/passwd: leads out of'],
      ['dist/.env', 'dist/.env: files and folders whose names begin with a dot'],
      ['dist', 'host.txt is a link that leads out of'],
      ['gone', 'gone: there is no such file or folder'],
    ]) {
      expect(await call('share_create', { path })).toMatchObject({
        resultType: 'complete',
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining(text ?? '') }],
      });
    }
    expect(await call('share_create', { path: 'notes.md', content: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: 'Send either path or content.' }],
    });
    expect(await call('share_create', { path: 'notes.md' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('shares:create') }],
    });
    const listed = await send(`${url}/api/share?mine=true`, { token });
    expect(listed.body.items).toEqual([]);
    await end();
  });

  it('is named by --check, with its tools', async () => {
    const { folder, env, end } = await start();
    const { out } = await createShell(folder).run(['mcp', '--check'], { env });
    expect(out).toMatch(/^Connected as .+\. 13 tools\.\n$/);
    await end();
  });
});

it('has addresses of its service in /llms.txt and /skill.md, which the command installs', async () => {
  const { url } = await startFreshService();
  const folder = await temporaryFolder();
  const { out } = await createShell(folder).run(['skill', 'install'], {
    env: { HANDBILL_URL: url },
  });
  expect(out).toContain('.claude/skills/handbill/SKILL.md');
  for (const [path, type] of [
    ['llms.txt', 'text/plain; charset=utf-8'],
    ['skill.md', 'text/markdown; charset=utf-8'],
  ] as const) {
    const response = await fetch(`${url}/${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const text = await response.text();
    for (const place of ['mcp', 'skill.md', 'api/docs', 'api/openapi.json']) {
      expect(text.includes(`${url}/${place}`) || place === path).toBe(true);
    }
  }
});
