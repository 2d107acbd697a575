import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { cardTags, findPreviewTags } from '../../support/card/tags.ts';
import { long, markdown, open, share, usePages } from '../../support/pages/served-pages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newPerson, type Person, setUser } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
const { service, snippets } = usePages();

describe('a share of a suspended or removed owner', () => {
  const statuses = async (id: string, password?: string) => {
    const post = await call('POST /s/{id}/open', {
      params: { id },
      ...form(password === undefined ? {} : { password }),
    });
    return [
      (await service(`/s/${id}`)).status,
      (await service(`/s/${id}/raw`)).status,
      post.status,
    ];
  };

  it('returns errors immediately, before its access item is updated', async () => {
    const ann = await newPerson();
    const { id } = await share({ content: `<p>${long}</p>` }, ann);
    const limited = await share({ ...markdown, viewLimit: 5 }, ann);
    const opened = await open(limited.id);
    await setUser(ann.id, { status: 'inactive' });
    expect((await service(`/s/${id}`)).status).toBe(200);

    await setUser(ann.id, { status: 'suspended' });
    expect(await statuses(id)).toEqual([410, 410, 410]);
    expect((await snippets(`/${id}`)).status).toBe(410);
    expect((await service(`/s/${limited.id}`)).status).toBe(410);
    expect((await service(opened)).status).toBe(410);
    expect(await open(limited.id)).toBe('');
    await setUser(ann.id, { status: 'active' });
    expect((await service(opened)).text).toContain('4 views left');

    await documentClient().send(
      new DeleteCommand({ TableName: tableName(), Key: userKeys.record.at({ id: ann.id }) }),
    );
    expect(await statuses(id)).toEqual([404, 404, 404]);
    expect((await snippets(`/${id}`)).status).toBe(404);
    expect((await service(`/s/${limited.id}`)).status).toBe(404);
  });
});

describe('the share page', () => {
  const told = { title: 'A "title" & more', description: 'What <it> is about' };

  it('contains link preview metadata for an unlimited share', async () => {
    const { id } = await share({ ...markdown, ...told });
    const { text } = await service(`/s/${id}`);
    expect(
      text.match(
        /<(?:title|meta (?:property|name="(?:tw|de)|name="robots)|link rel="canonical).*/g,
      ),
    ).toEqual([
      '<meta name="robots" content="noindex">',
      '<title>A &quot;title&quot; &amp; more</title>',
      '<meta name="description" content="What &lt;it&gt; is about">',
      `<link rel="canonical" href="https://handbill.test/s/${id}">`,
      '<meta property="og:type" content="article">',
      '<meta property="og:site_name" content="Handbill">',
      '<meta property="og:title" content="A &quot;title&quot; &amp; more">',
      '<meta property="og:description" content="What &lt;it&gt; is about">',
      `<meta property="og:url" content="https://handbill.test/s/${id}">`,
      expect.stringMatching(/^<meta property="article:author" content=".+">$/),
      expect.stringMatching(/^<meta property="article:published_time" content="\d{4}-.*Z">$/),
      ...cardTags,
    ]);
    const plain = await share(markdown);
    expect((await service(`/s/${plain.id}`)).text).toContain('content="Shared by Ann Example"');
  });

  it.each([
    ['a limited', { viewLimit: 3 }, undefined],
    ['a protected', { password: 'Abc123' }, 'Abc123'],
  ])(
    'contains no link preview metadata for %s share, even when it is open',
    async (_, fields, password) => {
      const { id } = await share({ ...markdown, ...told, ...fields });
      for (const path of [`/s/${id}`, `/s/${id}/raw`, `/s/${id}/report`]) {
        const { headers, text } = await service(path, { 'user-agent': 'Slackbot 1.0' });
        const whole = JSON.stringify(headers) + text;
        for (const secret of ['title&quot;', 'is about', 'paragraph', 'Ann Example']) {
          expect(whole).not.toContain(secret);
        }
        expect(findPreviewTags(text)).toEqual(path.endsWith('/raw') ? [] : cardTags);
      }
      const { text } = await service(await open(id, password));
      expect(text).toContain('<title>A &quot;title&quot; &amp; more</title>');
      expect(text).not.toMatch(/og:|twitter:|name="description"|canonical/);
    },
  );

  it.each([
    ['# From *the* text & <b>more</b>\n\n## Two', 'From the text &amp; more', 1],
    ['Nothing of a heading', 'Shared snippet', 1],
    ['# ', 'Shared snippet', 2],
  ])('calls an untitled text %j %s', async (content, title, headings) => {
    const { id } = await share({ content, language: 'markdown' });
    const { text } = await service(`/s/${id}`);
    expect(text).toContain(`<title>${title}</title>`);
    expect(text.match(/<h1/g)).toHaveLength(headings);
  });

  it('shows when the share was edited and expires', async () => {
    const { id, token } = await share({ ...markdown, expiresAt: '2035-02-03T04:05:06Z' });
    expect((await service(`/s/${id}`)).text).not.toContain('Edited');
    pass(1);
    await call('PUT /api/share/{id}', { params: { id }, token, body: { title: 'Two' } });
    const { text } = await service(`/s/${id}`);
    expect(text).toMatch(/· Edited <time datetime="[^"]+Z" data-style="day">\d+ \w+ \d{4}<\/time>/);
    expect(text).toContain(
      'Expires <time datetime="2035-02-03T04:05:06.000Z" data-style="endInOtherYear">3 Feb 2035, 04:05 UTC</time>',
    );
  });
});

describe('the owner of a share', () => {
  const cookieOf = async ({ email }: Person): Promise<string> =>
    String((await login(email)).cookies?.[0]?.split(';')[0]);

  it('sees the way to edit it, which no cache keeps', async () => {
    const [ann, bob] = await Promise.all([newPerson(), newPerson()]);
    const { id } = await share(markdown, ann);
    const link = `href="/?edit=${id}"`;
    const own = await service(`/s/${id}`, { cookie: await cookieOf(ann) });
    expect(own.text).toContain(link);
    expect(own.headers['cache-control']).toBe('private, no-cache');
    for (const headers of [{}, { cookie: await cookieOf(bob) }, { cookie: '__Host-session=x' }]) {
      const other = await service(`/s/${id}`, headers);
      expect([other.status, other.text.includes(link)]).toEqual([200, false]);
      expect(other.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    }
  });
});

describe('the theme of a share page', () => {
  it.each([
    ['light', ' data-theme="light"'],
    ['dark', ' data-theme="dark"'],
    ['"><script>', ''],
  ])('is that of the cookie: %s', async (theme, attribute) => {
    const shown = await share(markdown);
    const locked = await share({ ...markdown, password: 'Abc123' });
    for (const path of [`/s/${shown.id}`, `/s/${locked.id}`, `/s/${shown.id}/report`, '/s/x']) {
      const { text } = await service(path, { cookie: `a=b; theme=${theme}` });
      expect(text).toContain(`<html lang="en"${attribute}>`);
    }
  });
});

describe('GET /s/{id}/raw', () => {
  it('names the download by the title of the share', async () => {
    const titled = await share({ ...markdown, title: 'Notes: “Q3” / 2026 – Überblick' });
    const { headers, text } = await service(`/s/${titled.id}/raw?download`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Notes _Q3_ 2026 _ Uberblick.md"; filename*=UTF-8''Notes%20%E2%80%9CQ3%E2%80%9D%202026%20%E2%80%93%20%C3%9Cberblick.md`,
    );
    expect(text).toBe(long);
    const untitled = await share({ content: '# A *heading*', language: 'markdown' });
    expect(
      (await service(`/s/${untitled.id}/raw?download`)).headers['content-disposition'],
    ).toContain('filename="A heading.md"');
    const html = await share({ content: '<p>x' });
    expect((await service(`/s/${html.id}/raw?download`)).headers['content-disposition']).toContain(
      'filename=snippet.html',
    );
    expect((await service(`/s/${html.id}/raw`)).headers['content-disposition']).toBe(undefined);
  });

  it('links to the page without a view token', async () => {
    const { id } = await share({ ...markdown, viewLimit: 2 });
    const { status, headers, text } = await service(`/s/${id}/raw?download`, {
      accept: 'text/html',
    });
    expect([status, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect(headers['content-disposition']).toBe(undefined);
    expect(text).toContain(`href="/s/${id}"`);
  });
});
