import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hosts } from '../functions/routes.ts';
import { createGateway } from '../infra/local/gateway.ts';
import { encodingFor } from '../shared/compression.ts';
import { documentClient, tableName } from '../shared/dynamodb.ts';
import { keys } from '../shared/table.ts';
import { call } from './support/call.ts';
import { runJobs, useJobs } from './support/jobs.ts';
import { newPerson, type Person, setUser } from './support/people.ts';
import { itemsOf, useTable } from './support/table.ts';

useTable();
useJobs();

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Whatever the coding is. */
  readonly text: string;
}

const decode = (bytes: Buffer, encoding: string | undefined): Buffer => {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
};

/** A host behind its gateway, answering bytes as a browser gets them. */
const serveHost = (groups: (typeof hosts)[keyof typeof hosts]) => {
  let server: Server;
  beforeAll(async () => {
    server = createGateway(groups, () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Got> => {
    const { port } = server.address() as AddressInfo;
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
    request.end();
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = method === 'HEAD' ? '' : decode(bytes, response.headers['content-encoding']);
    return { status: response.statusCode, headers: response.headers, bytes, text: String(text) };
  };
};

const service = serveHost(hosts.service);
const snippets = serveHost(hosts.snippets);

const share = async (body: Record<string, unknown>, person?: Person) => {
  const { token } = person ?? (await newPerson());
  const answer = await call('POST /api/share', { token, body });
  return { id: answer.body.id as string, token };
};
const long = 'A paragraph that is long enough to be worth compressing. '.repeat(40);
const markdown = { content: long, language: 'markdown' };
const open = async (id: string, password?: string): Promise<string> => {
  const { headers } = await call('POST /s/{id}/open', {
    params: { id },
    body: new URLSearchParams(password === undefined ? {} : { password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return headers['location'] ?? '';
};

describe('compression', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=1.0, BR;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip ; q=0', undefined],
    ['br;q=0.001', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['x-br, gzipped', undefined],
  ])('of a request that takes %s is %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });

  it('makes page, raw and frame smaller, and no other', async () => {
    const { id } = await share(markdown);
    const html = await share({ content: `<p>${long}</p>` });
    for (const get of [
      (headers = {}) => service(`/s/${id}`, headers),
      (headers = {}) => service(`/s/${id}/raw`, headers),
      (headers = {}) => snippets(`/${html.id}`, headers),
    ]) {
      const plain = await get();
      expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
      expect(plain.headers['content-encoding']).toBe(undefined);
      for (const encoding of ['br', 'gzip']) {
        const compressed = await get({ 'accept-encoding': encoding });
        expect(compressed.headers).toMatchObject({
          'content-encoding': encoding,
          'content-type': plain.headers['content-type'],
          vary: 'accept-encoding',
        });
        expect(compressed.text).toBe(plain.text);
        expect(compressed.bytes.length).toBeLessThan(plain.bytes.length * 0.7);
      }
    }
  });

  it('leaves what is short as it is', async () => {
    const { id } = await share({ content: 'Short', language: 'markdown' });
    const { headers, text } = await service(`/s/${id}/raw`, { 'accept-encoding': 'br' });
    expect([headers['content-encoding'], text]).toEqual([undefined, 'Short']);
  });
});

describe('caching', () => {
  const cached = 'public, max-age=0, must-revalidate';

  it('keeps the page of an unlimited share as long as it is the same', async () => {
    const ann = await newPerson();
    const { id, token } = await share({ ...markdown, title: 'One' }, ann);
    const get = (headers = {}) => service(`/s/${id}`, { 'accept-encoding': 'br', ...headers });
    const tagOf = ({ headers }: Got) => headers.etag ?? '';
    const first = await get();
    expect(first.headers['cache-control']).toBe(cached);
    expect(tagOf(first)).toMatch(/^"[\w-]{22}-br"$/);

    for (const known of [tagOf(first), `W/${tagOf(first)}`, `"x", ${tagOf(first)}`, '*']) {
      const { status, headers, bytes } = await get({ 'if-none-match': known });
      expect([status, bytes.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({
        etag: tagOf(first),
        'cache-control': cached,
        vary: 'accept-encoding',
        'content-security-policy': first.headers['content-security-policy'],
      });
    }
    expect((await get({ 'if-none-match': '"x", "y-br"' })).status).toBe(200);

    const inGzip = await get({ 'accept-encoding': 'gzip', 'if-none-match': tagOf(first) });
    expect([inGzip.status, tagOf(inGzip)]).toEqual([200, tagOf(first).replace('-br', '-gzip')]);

    const tags = new Set([tagOf(first)]);
    await call('PUT /api/share/{id}', { params: { id }, token, body: { title: 'Two' } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    await call('PUT /api/users/me', { token, body: { name: 'Another Name' } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    await call('PUT /api/share/{id}', { params: { id }, token, body: { content: `${long}!` } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    expect(tags.size).toBe(4);

    await call('DELETE /api/share/{id}', { params: { id }, token });
    const deleted = await get({ 'if-none-match': [...tags].at(-1) ?? '' });
    expect([deleted.status, deleted.headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('keeps the raw text and the frame, too', async () => {
    const { id } = await share({ content: `<p>${long}</p>` });
    for (const get of [
      (headers = {}) => service(`/s/${id}/raw`, headers),
      (headers = {}) => snippets(`/${id}`, headers),
    ]) {
      const { headers } = await get();
      expect(headers['cache-control']).toBe(cached);
      expect((await get({ 'if-none-match': headers.etag ?? '' })).status).toBe(304);
    }
  });

  it('counts a view that is answered 304, and none by HEAD, a prefetch or the script of the page', async () => {
    const { id, token } = await share(markdown);
    const views = async () => {
      await runJobs();
      const query = { id, mine: 'true' };
      return (await call('GET /api/share', { token, query })).body.views;
    };
    const { headers } = await service(`/s/${id}`);
    expect(await views()).toBe(1);
    await service(`/s/${id}`, { 'if-none-match': headers.etag ?? '' });
    expect(await views()).toBe(2);
    const head = await service(`/s/${id}`, {}, 'HEAD');
    expect(head.headers).toMatchObject({ etag: headers.etag, 'cache-control': cached });
    await service(`/s/${id}`, { 'sec-purpose': 'prefetch;prerender' });
    await service(`/s/${id}/raw`, { 'sec-fetch-dest': 'empty' });
    expect(await views()).toBe(2);
  });

  it('keeps nothing of a limited or protected share, nor of any other answer', async () => {
    const limited = await share({ ...markdown, viewLimit: 9 });
    const locked = await share({ content: `<p>${long}</p>`, password: 'Abc123' });
    const page = await open(limited.id);
    const lockedPage = await open(locked.id, 'Abc123');
    const view = new URL(lockedPage, 'https://a.test').search;
    const answers = [
      await service(`/s/${limited.id}`),
      await service(page),
      await service(page.replace('?', '/raw?')),
      await service(`/s/${locked.id}`),
      await service(lockedPage),
      await service(lockedPage.replace('?', '/raw?')),
      await snippets(`/${locked.id}${view}`),
      await service(`/s/${limited.id}/raw`),
      await service(`/s/${limited.id}/report`),
      await service(`/s/${limited.id}/report?sent=true`),
      await service('/s/nothing'),
      await snippets('/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(7).fill(200),
      ...[401, 200, 200, 404, 404],
    ]);
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers.etag).toBe(undefined);
    }
  });
});

describe('a share whose owner is suspended or gone', () => {
  const statuses = async (id: string, password?: string) => {
    const post = await call('POST /s/{id}/open', {
      params: { id },
      body: password === undefined ? '' : `password=${password}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return [
      (await service(`/s/${id}`)).status,
      (await service(`/s/${id}/raw`)).status,
      post.status,
    ];
  };

  it('is closed at once, before its gate is', async () => {
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
      new DeleteCommand({ TableName: tableName(), Key: keys.user(ann.id) }),
    );
    expect(await statuses(id)).toEqual([404, 404, 404]);
    expect((await snippets(`/${id}`)).status).toBe(404);
    expect((await service(`/s/${limited.id}`)).status).toBe(404);
  });
});

describe('what a page tells', () => {
  const told = { title: 'A "title" & more', description: 'What <it> is about' };

  it('tells unfurlers of an unlimited share what it is', async () => {
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
      expect.stringMatching(/^<meta property="article:published_time" content="\d{4}-.*Z">$/),
      '<meta name="twitter:card" content="summary">',
      '<meta name="twitter:title" content="A &quot;title&quot; &amp; more">',
      '<meta name="twitter:description" content="What &lt;it&gt; is about">',
    ]);
    const plain = await share(markdown);
    expect((await service(`/s/${plain.id}`)).text).toContain('content="Shared by Ann Example"');
  });

  it.each([
    ['a limited', { viewLimit: 3 }, undefined],
    ['a protected', { password: 'Abc123' }, 'Abc123'],
  ])(
    'tells nothing of %s share, and makes no card of it once it is open',
    async (_, fields, password) => {
      const { id } = await share({ ...markdown, ...told, ...fields });
      for (const path of [`/s/${id}`, `/s/${id}/raw`, `/s/${id}/report`]) {
        const { headers, text } = await service(path, { 'user-agent': 'Slackbot 1.0' });
        const whole = JSON.stringify(headers) + text;
        for (const secret of [
          'title&quot;',
          'is about',
          'paragraph',
          'Ann Example',
          'og:',
          'twitter:',
        ]) {
          expect(whole).not.toContain(secret);
        }
      }
      const { text } = await service(await open(id, password));
      expect(text).toContain('<title>A &quot;title&quot; &amp; more</title>');
      expect(text).not.toMatch(/og:|twitter:|name="description"|canonical/);
    },
  );

  it.each([
    ['# From *the* text & <b>more</b>\n\n## Two', 'From the text &amp; &lt;b&gt;more&lt;/b&gt;', 1],
    ['Nothing of a heading', 'Shared snippet', 1],
    ['# ', 'Shared snippet', 2],
  ])('calls an untitled text %j %s', async (content, title, headings) => {
    const { id } = await share({ content, language: 'markdown' });
    const { text } = await service(`/s/${id}`);
    expect(text).toContain(`<title>${title}</title>`);
    expect(text.match(/<h1/g)).toHaveLength(headings);
  });

  it('says when it was edited, and when it ends', async () => {
    const { id, token } = await share({ ...markdown, expiresAt: '2035-02-03T04:05:06Z' });
    expect((await service(`/s/${id}`)).text).not.toContain('Edited');
    await call('PUT /api/share/{id}', { params: { id }, token, body: { title: 'Two' } });
    const { text } = await service(`/s/${id}`);
    expect(text).toMatch(/Edited <time datetime="[^"]+Z">\d+ \w+ \d{4}<\/time>/);
    expect(text).toContain(
      'Ends <time datetime="2035-02-03T04:05:06.000Z">3 February 2035 at 04:05 UTC</time>',
    );
  });
});

describe('the weight of a page', () => {
  const compressed = { 'accept-encoding': 'br' };

  it.each([
    ['Markdown', { content: 'x', language: 'markdown' }],
    ['HTML', { content: 'x' }],
  ])('of %s is at most 20 KB compressed, beside its content', async (_, body) => {
    const { id } = await share({ ...body, title: 'T'.repeat(200), description: 'D'.repeat(1_000) });
    const page = await service(`/s/${id}`, compressed);
    const assets = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(assets.length).toBeGreaterThanOrEqual(3);
    const files = await Promise.all(assets.map((path) => service(path ?? '', compressed)));
    expect(files.map(({ status }) => status)).toEqual(assets.map(() => 200));
    const bytes = [page, ...files].reduce((sum, { bytes: { length } }) => sum + length, 0);
    expect(bytes).toBeLessThanOrEqual(20 * 1024);
  });
});

describe('GET /s/{id}/raw', () => {
  it('is saved under the title of the share', async () => {
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
      'filename="snippet.html"',
    );
    expect((await service(`/s/${html.id}/raw`)).headers['content-disposition']).toBe(undefined);
  });

  it('leads who has no view to the page', async () => {
    const { id } = await share({ ...markdown, viewLimit: 2 });
    const { status, headers, text } = await service(`/s/${id}/raw?download`);
    expect([status, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect(headers['content-disposition']).toBe(undefined);
    expect(text).toContain(`href="/s/${id}"`);
  });
});

describe('reporting by the page', () => {
  const report = (id: string, body: string) =>
    call('POST /s/{id}/report', {
      params: { id },
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const reportsOf = async (id: string) =>
    (await itemsOf(`SHARE#${id}`)).filter(({ sk }) => String(sk).startsWith('REPORT#'));

  it('keeps the reason, and thanks for it', async () => {
    const { id } = await share({ ...markdown, password: 'Abc123' });
    const { status, headers } = await report(id, 'reason=It+asks+for%0D%0Aa+password');
    expect([status, headers['location']]).toEqual([303, `/s/${id}/report?sent=true`]);
    expect(await reportsOf(id)).toMatchObject([{ reason: 'It asks for\na password' }]);
    expect((await service(`/s/${id}/report?sent=true`)).text).toContain('Thank you');
  });

  it.each([
    ['no', ''],
    ['too short a', 'reason=+no+'],
    ['too long a', `reason=${'x'.repeat(1_001)}`],
    ['a deceptive', 'reason=abc%E2%80%AE'],
  ])('asks again for %s reason', async (_, body) => {
    const { id } = await share(markdown);
    const { status, body: text } = await report(id, body);
    expect(status).toBe(400);
    expect(text).toMatch(/role="alert">Write from 3 to 1000 characters/);
    expect(await reportsOf(id)).toEqual([]);
  });

  it('finds nothing where there is no share, or no share any more', async () => {
    const { id, token } = await share(markdown);
    await call('DELETE /api/share/{id}', { params: { id }, token });
    expect((await service(`/s/${id}/report`)).status).toBe(404);
    const answer = await report(id, 'reason=It+is+spam');
    expect([answer.status, answer.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  // The last one: it leaves an empty bucket behind.
  it('takes 10 an hour of one address, together with those by the API', async () => {
    const { id } = await share(markdown);
    process.env['RATE_LIMIT_FACTOR'] = '1';
    // By then nothing is left of what the tests before this one have taken.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    onTestFinished(() => {
      process.env['RATE_LIMIT_FACTOR'] = '1000';
      vi.useRealTimers();
    });
    const byApi = { params: { id }, body: { reason: 'It is spam' } };
    const statuses: number[] = [];
    for (let pair = 0; pair < 6; pair++) {
      statuses.push((await report(id, 'reason=It+is+spam')).status);
      statuses.push((await call('POST /api/share/{id}/report', byApi)).status);
    }
    expect(statuses).toEqual([...Array(5).fill([303, 201]).flat(), 429, 429]);
  });
});
