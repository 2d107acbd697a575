// Sealed shares of an assistant: `handbill mcp` seals and opens, and the service never gets a key.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { startAssistant } from '../../support/cli/mcp.ts';
import { signIn } from '../../support/cli/session.ts';
import { send, temporaryFolder } from '../../support/run/process.ts';
import { useFakeService } from './fake-service.ts';

const text = '# Codes\n\nThe safe opens with 4711-Falke.\n';
const passphrase = 'walnut tango 88';

const start = async () => {
  const { service, token } = await signIn();
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(folder, 'plans'));
  await writeFile(join(folder, 'plans/index.html'), '<h1>Plans of Klara</h1>');
  await writeFile(join(folder, 'plans/a.bin'), 'picture');
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: token };
  const assistant = startAssistant({ folder, home, env });
  const { run } = createShell(await temporaryFolder());
  const stored = async (id: string) =>
    (await send(`${service.url}/api/share?id=${id}&mine=true`, { token })).body;
  return {
    url: service.url,
    stored,
    get: (link: string) => run(['get', link], { env }),
    ...assistant,
  };
};

describe('an assistant', () => {
  it('seals a text on this machine, reads it with its link, and changes it under the same one', async () => {
    const { url, ask, call, stored, get, end } = await start();
    const { tools } = (await ask('tools/list')).result;
    const [create, read] = ['share_create', 'share_read'].map((wanted) =>
      tools.find(({ name }: { name: string }) => name === wanted),
    );
    expect(create.inputSchema.properties).toMatchObject({ sealed: {}, passphrase: {} });
    expect(read.inputSchema.properties).toHaveProperty('passphrase');

    const made = await call('share_create', { content: text, language: 'markdown', sealed: true });
    expect(made).toMatchObject({
      resultType: 'complete',
      structuredContent: { audience: 'private', sealed: true },
      content: [{ text: expect.stringContaining('Give the person the whole link') }],
    });
    const { id, url: link } = made.structuredContent;
    expect(link).toMatch(new RegExp(`^${url}/s/${id}#k1\\.[\\w-]{43}$`));
    const first = await stored(id);
    expect(first).toMatchObject({ sealed: true, audience: 'private' });
    expect(JSON.stringify(first)).not.toContain('Falke');

    expect((await call('share_read', { id })).structuredContent.content).toMatch(
      /^\[This share is sealed/,
    );
    const opened = await call('share_read', { id: link });
    expect(opened.structuredContent).toMatchObject({ id, url: link, version: 1, content: text });
    expect(opened.content[0].text).toMatch(
      /^This was written by people\. .*\n<<< content [\w-]{22}\n/,
    );
    expect(opened.content[0].text).toContain('4711-Falke');

    const change = { id: link, version: 1, content: '# Next\n', title: 'Codes' };
    const changed = await call('share_update', change);
    expect(changed.structuredContent).toMatchObject({ id, url: link, title: 'Codes', version: 2 });
    expect((await get(link)).out).toBe('# Next\n');
    expect((await call('share_update', change)).content[0].text).toContain('share_read');
    const renamed = await call('share_update', { id: link, version: 2, title: 'Other' });
    expect(renamed.structuredContent).toMatchObject({ title: 'Other', version: 3 });
    expect((await get(link)).out).toBe('# Next\n');
    expect((await call('share_delete', { id: link })).isError).toBeUndefined();
    expect(await end()).toEqual({ code: 0, err: '' });
  });

  it('makes one share of a repeated call', async () => {
    const { call } = await start();
    const asked = { content: text, language: 'markdown', sealed: true, requestId: 'first-call-1' };
    const [one, other] = await Promise.all([
      call('share_create', asked),
      call('share_create', asked),
    ]);
    const again = await call('share_create', asked);
    const links = [one, other, again].map(({ structuredContent }) => structuredContent.url);
    expect(links[0]).toMatch(/#k1\./);
    expect(new Set(links).size).toBe(1);
    const listed = await call('share_list', {});
    expect(listed.structuredContent.items).toHaveLength(1);
    const changed = await call('share_create', { ...asked, content: '# Other' });
    expect(changed).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Send a new one') }],
    });
  });

  it('says that links of the service lack the key', async () => {
    const { call } = await start();
    const asked = { content: text, language: 'markdown', sealed: true, audience: 'link' };
    const { url: link } = (await call('share_create', asked)).structuredContent;
    const { content } = await call('share_link_create', { id: link, label: 'Mei' });
    expect(content.at(-1).text).toContain('lack the key');
  });

  it('seals a folder with a passphrase', async () => {
    const { call, stored } = await start();
    const given = { path: 'plans', sealed: true, passphrase, audience: 'link', title: 'Plans' };
    const { id, url: link } = (await call('share_create', given)).structuredContent;
    expect(await stored(id)).toMatchObject({ audience: 'link', passphrase: true, title: 'Plans' });
    expect((await call('share_read', { id: link })).content[0].text).toMatch(/has a passphrase/);
    const wrong = await call('share_read', { id: link, passphrase: 'walnut' });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('check the link and the passphrase') }],
    });
    expect((await call('share_read', { id: link, passphrase })).structuredContent).toMatchObject({
      content: '<h1>Plans of Klara</h1>',
      files: [{ name: 'a.bin', size: 7 }],
    });
    const bypath = await call('share_update', {
      id: link,
      passphrase,
      version: 1,
      path: 'plans/a.bin',
    });
    expect(bypath.structuredContent).toMatchObject({ url: link, version: 2 });
  });

  it.each<[string, string, object, string]>([
    [
      'a password',
      'share_create',
      { content: text, language: 'markdown', sealed: true, useRandomPassword: true },
      'has no password',
    ],
    ['no content', 'share_create', { sealed: true }, 'Send content or path'],
    [
      'a wish to seal that is no boolean',
      'share_create',
      { content: text, language: 'markdown', sealed: 'true' },
      'Invalid sealed: must be true or false',
    ],
    [
      'a passphrase alone',
      'share_create',
      { content: text, language: 'markdown', passphrase },
      'send `sealed`: true',
    ],
    [
      'to seal a document',
      'document_create',
      { title: 'Codes', content: text, sealed: true },
      'Only share_create seals',
    ],
    [
      'a main file that is no page',
      'share_create',
      { sealed: true, path: 'plans', main: 'a.bin' },
      'a.bin is no page',
    ],
    [
      'both',
      'share_create',
      { sealed: true, content: text, language: 'markdown', path: 'plans' },
      'either path or content',
    ],
    ['a path outside', 'share_create', { sealed: true, path: '../..' }, 'outside'],
    [
      'sealing later',
      'share_update',
      { id: 'a', version: 1, sealed: true },
      'Only share_create seals',
    ],
    ['half a key', 'share_read', { id: 'codes#k1.abc' }, 'incomplete or changed'],
    [
      'another service',
      'share_read',
      { id: `https://a.example.com/s/codes#k1.${'A'.repeat(43)}` },
      'The link is of https://a.example.com',
    ],
    [
      'a share of somebody else',
      'share_read',
      { id: `codes#k1.${'A'.repeat(43)}` },
      'The person has no such share',
    ],
  ])('is refused %s in words', async (_, name, given, message) => {
    const { call } = await start();
    const refused = await call(name, given);
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0].text).toContain(message);
    expect(refused.content[0].text).not.toMatch(/k1\./);
  });
});

const service = useFakeService();

const key = `${'K'.repeat(42)}A`;

it('sends no key and no passphrase of any call to the service', async () => {
  const bodies: string[] = [];
  service.respond(({ read, answer }) => {
    void read().then((body) => {
      bodies.push(body.toString());
      answer(200, { jsonrpc: '2.0', id: 1, result: { content: [] } });
    });
  });
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
  const { call, ask } = startAssistant({ folder, home, env });
  const link = `${service.url}/s/codes#k1.${key}`;
  await call('share_delete', { id: link });
  await call('share_link_create', { id: link, label: 'Mei' });
  await call('share_update', { id: link, version: 1, title: 'A', passphrase });
  await call('share_read', { id: link });
  const { error } = await ask('resources/read', {
    uri: `handbill://share/codes#k1.${key}`,
  });
  expect(error?.message).toMatch(/^A resource has no key/);
  const sent = JSON.stringify([bodies, service.received()]);
  expect(sent).toContain('\\"id\\":\\"codes\\"');
  expect(sent).not.toContain('KKKK');
  expect(sent).not.toContain(passphrase);
});

it('sends no content for a sealed share that is named without its key', async () => {
  const bodies: string[] = [];
  service.respond(({ line, read, answer }) => {
    void read().then((body) => {
      bodies.push(body.toString());
      const share = { id: 'codes', version: 1, sealed: true, content: 'SEJT' };
      answer(
        200,
        line.startsWith('GET') ? share : { jsonrpc: '2.0', id: 1, result: { content: [] } },
      );
    });
  });
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
  const { call } = startAssistant({ folder, home, env });
  for (const [name, given] of [
    ['share_update', { id: 'codes', version: 1, content: text }],
    ['share_file_put', { id: 'codes', path: 'falke.txt', content: text }],
    ['share_file_put', { id: `codes#k1.${key}`, path: 'falke.txt', content: text }],
  ] as const) {
    const refused = await call(name, given);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('nothing was sent') }],
    });
  }
  expect(JSON.stringify([bodies, service.received()])).not.toMatch(/falke/i);
});
