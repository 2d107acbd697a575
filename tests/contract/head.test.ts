import { describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import { open, share, usePages } from '../support/pages/served-pages.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { call } from '../support/service/call.ts';
import { useJobs } from '../support/service/jobs.ts';
import { readItems } from '../support/service/state.ts';
import { linksOf } from '../support/shares/requests.ts';
import { useTable } from '../support/table/table.ts';
import { newPerson, newUserOf } from '../support/users/test-users.ts';

useTable();
useJobs();
useBucket();
const { service, snippets } = usePages();

const lengthOf = (headers: Readonly<Record<string, unknown>>) => headers['content-length'];

describe('HEAD over a real socket', () => {
  it('returns the status, type and length of each GET route, without a body', async () => {
    const { token } = await newUserOf('super_admin');
    const headers = { authorization: `Bearer ${token}` };
    const paths = (Object.keys(hosts) as Host[]).flatMap((host) =>
      listRoutes(host)
        .filter(({ method }) => method === 'GET')
        .map(({ path, produces }) => ({
          host,
          path: path.replace(/\{\w+\+?\}/g, '7'),
          // It would be read for its length.
          hidesLength: produces === 'rows',
        })),
    );
    expect(paths.length).toBeGreaterThan(50);
    for (const { host, path, hidesLength } of paths) {
      const ask = host === 'service' ? service : snippets;
      const got = await ask(path, headers);
      const head = await ask(path, headers, 'HEAD');
      const shown = ({ status, headers: named }: typeof got) => ({
        path,
        status,
        type: named['content-type'],
        length: hidesLength ? undefined : lengthOf(named),
      });
      expect(shown(head)).toEqual(shown(got));
      expect([head.bytes.length, lengthOf(got.headers)]).toEqual([0, String(got.bytes.length)]);
    }
  });

  it('returns the length of a share, its page, its text and its frame', async () => {
    const { id } = await share({ content: '<p>Überblick</p>' });
    for (const path of [`/api/share?id=${id}`, `/s/${id}`, `/s/${id}/raw`, '/nowhere']) {
      const head = await service(path, {}, 'HEAD');
      const got = await service(path);
      expect([path, head.status, lengthOf(head.headers)]).toEqual([
        path,
        got.status,
        String(got.bytes.length),
      ]);
    }
    const [head, got] = [await snippets(`/${id}`, {}, 'HEAD'), await snippets(`/${id}`)];
    expect(lengthOf(head.headers)).toBe(String(got.bytes.length));
  });

  it('returns no length of what takes a view', async () => {
    const person = await newPerson();
    const password = 'Abc123';
    const given = { 'x-share-password': password };
    const { id: locked } = await share({ content: '<p>Hi</p>', password }, person);
    const { id: limited } = await share(
      { content: '# Hi', language: 'markdown', viewLimit: 9 },
      person,
    );
    const { id: linked } = await share({ content: '<p>Hi</p>' }, person);
    const { body: link } = await linksOf(person).addLink(linked);
    const embedded = { content: '<p>Hi</p>', viewLimit: 9, embedOrigins: ['*'] };
    const { id: framed } = await share(embedded, person);
    const view = (await open(limited)).split('?')[1];
    const asked: readonly [string, Record<string, string>][] = [
      [`/api/share?id=${locked}`, given],
      [`/api/share?id=${limited}`, {}],
      [`/api/share?id=${link.id}`, {}],
      [`/s/${locked}`, {}],
      [`/s/${limited}`, {}],
      [`/s/${limited}?${view}`, {}],
      [`/s/${limited}/raw?${view}`, {}],
      [`/s/${limited}/raw?${view}&download=page`, {}],
      [`/s/${link.id}`, {}],
      [`/s/${framed}/embed`, {}],
    ];
    for (const [path, headers] of asked) {
      const head = await service(path, headers, 'HEAD');
      expect([path, head.status, lengthOf(head.headers)]).toEqual([path, 200, undefined]);
    }
    const frame = `/${framed}?${(await open(framed)).split('?')[1]}`;
    const head = await snippets(frame, {}, 'HEAD');
    expect([head.status, lengthOf(head.headers)]).toEqual([200, undefined]);
  });

  it('returns no length for 304', async () => {
    const { id } = await share({ content: '<p>Hi</p>' });
    const { headers } = await service(`/s/${id}/raw`);
    const known = { 'if-none-match': String(headers['etag']) };
    for (const method of ['GET', 'HEAD']) {
      const response = await service(`/s/${id}/raw`, known, method);
      expect([response.status, lengthOf(response.headers)]).toEqual([304, undefined]);
    }
  });

  it('changes nothing, and counts no view', async () => {
    const { id, token } = await share({ content: '<p>Hi</p>', viewLimit: 2 });
    const before = await readItems();
    for (const path of [`/api/share?id=${id}`, `/s/${id}`, `/s/${id}/raw`]) {
      await service(path, {}, 'HEAD');
    }
    expect(await readItems()).toEqual(before);
    const query = { id, mine: 'true' };
    expect((await call('GET /api/share', { token, query })).body.views).toBe(0);
  });
});

describe('the result of a function for HEAD', () => {
  it('has no body, and the Content-Length of GET', async () => {
    const { token } = await newUserOf('super_admin');
    const { id } = await share({ content: '<p>Hi</p>' });
    for (const [path, options] of [
      ['/api/users/me', { token }],
      ['/s/{id}/raw', { params: { id } }],
      ['/api/users/me', {}],
    ] as const) {
      const { body } = await call(`GET ${path}`, options);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const head = await call(`HEAD ${path}`, options);
      expect([head.body, head.headers['content-length']]).toEqual([
        '',
        String(Buffer.byteLength(text)),
      ]);
    }
  });
});

describe('GET /api/share with Sec-Purpose: prefetch', () => {
  it('returns 400 without using a view or a password attempt', async () => {
    const { id, token } = await share({ content: '<p>Hi</p>', viewLimit: 2, password: 'Abc123' });
    for (const value of ['prefetch', 'prefetch;prerender']) {
      for (let attempts = 0; attempts < 6; attempts++) {
        const headers = { 'sec-purpose': value, 'x-share-password': 'wrong1' };
        const { status, body } = await call('GET /api/share', { query: { id }, headers });
        const message = 'must not be prefetch';
        expect([status, body.error.code, body.error.details]).toEqual([
          400,
          'VALIDATION_ERROR',
          [{ field: 'sec-purpose', message }],
        ]);
      }
    }
    const query = { id, mine: 'true' };
    expect((await call('GET /api/share', { token, query })).body.views).toBe(0);
    const headers = { 'x-share-password': 'Abc123' };
    expect((await call('GET /api/share', { query: { id }, headers })).status).toBe(200);
  });
});

describe('errors of GET /s/{id}/raw', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('are text for programs and pages for browsers', async () => {
    const { id } = await share({ content: '<p>Hi</p>', viewLimit: 2 });
    const failures = [
      [`/s/${id}/raw`, 401],
      ['/s/nothing-is-here/raw', 404],
      [`/s/${id}/raw?download=what`, 400],
    ] as const;
    for (const [path, status] of failures) {
      const text = await service(path, { accept: '*/*' });
      expect([text.status, text.headers['content-type']]).toEqual([
        status,
        'text/plain; charset=utf-8',
      ]);
      expect(text.text).toMatch(/^[^<{]+\n$/);
      const page = await service(path, browser);
      expect([page.status, page.headers['content-type']]).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
      expect(page.text).toContain('<h1>');
    }
  });
});
