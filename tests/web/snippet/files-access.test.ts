// Who reads the files of a share, and until when (decisions.md#views). All of them are one view.

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, type CallOptions, call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { findDisclosed } from '../../support/shares/disclosed.ts';
import { endAsReader, linksOf, sharesOf } from '../../support/shares/requests.ts';
import { open, page, raw, tokenIn, view } from '../../support/shares/shares.ts';
import { addFiles } from '../../support/shares/with-files.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf, setUser } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useBucket();

// Time passes while they are signed in.
beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
  return () => vi.unstubAllEnvs();
});

const { ann, mod } = usePeople({
  ann: newPerson,
  mod: () => newUserOf('super_admin'),
});
const hers = () => ({ ...sharesOf(ann), ...linksOf(ann) });

const text = '<p>What only they read</p>';
const secret = 'const secret = 1;';
const minute = 60_000;

const newSite = async (body: object = {}): Promise<string> => {
  // The limit of new shares is per user and hour.
  pass(10 * minute);
  const id = await hers().newShare({ content: text, ...body });
  await addFiles(id, { 'app.js': secret, 'other.html': text }, { text });
  return id;
};

const file = (prefix: string, path = 'app.js'): Promise<Answer> =>
  call('GET /{id}/{path+}', { params: { id: prefix, path } });

/** Returns what the addresses of files begin with on a page. */
const prefixIn = ({ body }: Answer): string =>
  /src="https:\/\/snippets\.test\/([^"/]+)\/index\.html"/.exec(String(body))?.[1] ?? '';

/** Opens a share and returns the token of its view, and the prefix of its files. */
const openSite = async (id: string, fields: Readonly<Record<string, string>> = {}) => {
  const token = tokenIn(await open(id, fields)) ?? '';
  return { token, prefix: prefixIn(await page(id, token)) };
};

const shows = ({ status, body }: Answer): boolean =>
  status === 200 && Buffer.from(String(body), 'base64').toString().includes('secret');

describe('files of a share with one view', () => {
  it('are all read in it, for 15 minutes, and nobody opens another', async () => {
    const id = await newSite({ viewLimit: 1 });
    const { prefix } = await openSite(id);
    expect((await open(id)).status).toBe(410);
    for (let minutes = 0; minutes < 14; minutes++) {
      expect([minutes, shows(await file(prefix))]).toEqual([minutes, true]);
      expect((await file(prefix, 'index.html')).status).toBe(200);
      expect((await file(prefix, 'other.html')).status).toBe(200);
      await minuteLater();
    }
    // A run of the schedule takes 61 s here.
    pass(15 * minute - 14 * 61_000 - 1_000);
    expect(shows(await file(prefix))).toBe(true);
    pass(2_000);
    expect((await file(prefix)).status).toBe(401);
    expect((await view(id)).status).toBe(410);
  });

  it('are not read without it', async () => {
    const id = await newSite({ viewLimit: 1 });
    expect((await file(id)).status).toBe(404);
    expect((await view(id)).status).toBe(200);
  });

  it('have an address for the API in its view, and none in another', async () => {
    const id = await newSite({ viewLimit: 1 });
    const { body } = await view(id);
    expect(body.files.map(({ path }: { path: string }) => path)).toEqual([
      'index.html',
      'app.js',
      'other.html',
    ]);
    const [, prefix = ''] = /^https:\/\/snippets\.test\/(.*)\/$/.exec(body.filesUrl) ?? [];
    expect(shows(await file(prefix))).toBe(true);
    expect((await view(id)).status).toBe(410);
  });

  it('are read no longer because the page is loaded again', async () => {
    const id = await newSite({ viewLimit: 1 });
    const { token, prefix } = await openSite(id);
    pass(50_000);
    expect(prefixIn(await page(id, token))).toBe(prefix);
    pass(14 * minute + 11_000);
    expect((await file(prefix)).status).toBe(401);
  });

  it('are read no longer because the form is sent again', async () => {
    const id = await newSite({ viewLimit: 1, password: 'Abc123' });
    const fields = { claim: 'a-nonce', password: 'Abc123' };
    await openSite(id, fields);
    pass(50_000);
    const { prefix } = await openSite(id, fields);
    pass(14 * minute);
    expect(shows(await file(prefix))).toBe(true);
    pass(21_000);
    expect((await file(prefix)).status).toBe(401);
  });

  it('are kept for the last reader, and gone afterwards', async () => {
    const id = await newSite({ viewLimit: 1 });
    const { prefix } = await openSite(id);
    for (let minutes = 0; minutes < 14; minutes++) await minuteLater();
    expect((await file(prefix, 'index.html')).status).toBe(200);
    for (let minutes = 0; minutes < 3; minutes++) await minuteLater();
    const { body } = await call('GET /api/share', {
      token: ann.token,
      query: { id, mine: 'true' },
    });
    expect(body.error.code).toBe('GONE');
  });
});

describe('the token for files', () => {
  it('opens nothing but files, of which the source is one', async () => {
    const id = await newSite({ password: 'Abc123', readersCanEnd: true });
    const { prefix } = await openSite(id, { password: 'Abc123' });
    expect(shows(await file(prefix))).toBe(true);
    expect((await raw(id, prefix)).status).toBe(200);
    expect((await endAsReader(id, prefix)).status).toBe(404);
    expect((await call('GET /{id}', { params: { id }, query: { view: prefix } })).status).toBe(404);
    expect(String((await page(id, prefix)).body)).toContain('name="password"');
  });

  it('is not that of the page', async () => {
    const id = await newSite({ viewLimit: 2 });
    const { token } = await openSite(id);
    expect((await file(token)).status).toBe(401);
  });

  it('opens no other share, and no other address of its own', async () => {
    const [id, other] = [await newSite({ viewLimit: 2 }), await newSite({ viewLimit: 2 })];
    const { body: link } = await hers().addLink(id);
    const [header, payload = '', signature] = (await openSite(id)).prefix.split('.');
    for (const sub of [other, link.id]) {
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...claims, sub })).toString('base64url');
      expect((await file(`${header}.${forged}.${signature}`)).status).toBe(401);
    }
    const byLink = await openSite(link.id);
    expect(shows(await file(byLink.prefix))).toBe(true);
    const claims = Buffer.from(byLink.prefix.split('.')[1] ?? '', 'base64url').toString();
    expect(claims).not.toContain(id);
    await hers().revokeLink(id, link.id);
    expect((await file(byLink.prefix)).status).toBe(410);
  });

  it('tells nothing of the share by a recipient link', async () => {
    const id = await newSite({ password: 'Abc123' });
    const { body: link } = await hers().addLink(id);
    const token = tokenIn(await open(link.id, { password: 'Abc123' }));
    const shown = await page(link.id, token);
    const prefix = prefixIn(shown);
    const asBrowser = { accept: 'text/html', 'sec-fetch-dest': 'document' };
    const answers = [
      shown,
      await file(prefix),
      await file(prefix, ''),
      await file(prefix, 'nothing'),
      await call('GET /{id}/{path+}', {
        params: { id: prefix, path: 'other.html' },
        headers: asBrowser,
      }),
      await call('GET /api/share', {
        query: { id: link.id },
        headers: { 'x-share-password': 'Abc123' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 403, 200]);
    for (const answer of answers) expect(findDisclosed(answer, [id])).toEqual([]);
  });

  const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'it is stopped': (id) => hers().end(id),
    'it is taken down': (id) => sharesOf(mod).decide(id, 'take-down'),
    'it is deleted': (id) => hers().remove(id),
    'its password changes': (id) => hers().put(id, { password: 'Xyz789' }),
    'its content changes': (id) => hers().put(id, { content: '<p>Another</p>' }),
    'it is for its owner alone': (id) => hers().put(id, { audience: 'private' }),
    'it expires': async () => pass(10 * minute),
    'its owner is suspended': () => setUser(ann.id, { status: 'suspended' }),
  };

  it.each(Object.entries(ends))('opens nothing at once when %s', async (_, end) => {
    const expiresAt = new Date(Date.now() + 15 * minute).toISOString();
    const id = await newSite({ password: 'Abc123', viewLimit: 2, expiresAt });
    const { prefix } = await openSite(id, { password: 'Abc123' });
    expect(shows(await file(prefix))).toBe(true);
    await end(id);
    const answer = await file(prefix);
    expect(answer.status).toBeGreaterThanOrEqual(401);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    await setUser(ann.id, { status: 'active' });
  });

  it('goes on if everyone can read the content by now', async () => {
    const id = await newSite({ viewLimit: 2 });
    const { prefix } = await openSite(id);
    await hers().put(id, { viewLimit: null });
    expect(shows(await file(prefix))).toBe(true);
    expect(shows(await file(id))).toBe(true);
  });
});

describe('a share that is not open to all', () => {
  it('names the reader in the token of its page, who must still be one', async () => {
    const [bea, cem] = [await newPerson(), await newPerson()];
    const id = await newSite({ readers: [bea.id] });
    const asReader = { params: { id }, token: bea.token } satisfies CallOptions;
    const prefix = prefixIn(await call('GET /s/{id}', asReader));
    expect(prefix).toContain('.');
    expect(shows(await file(prefix))).toBe(true);
    expect((await file(id)).status).toBe(401);
    await hers().put(id, { readers: [cem.id] });
    expect(shows(await file(prefix))).toBe(false);
    const own = prefixIn(await call('GET /s/{id}', { params: { id }, token: ann.token }));
    expect(shows(await file(own))).toBe(true);
  });

  it('gives nothing to a reader who is suspended', async () => {
    const bea = await newPerson();
    const id = await newSite({ readers: [bea.id] });
    const prefix = prefixIn(await call('GET /s/{id}', { params: { id }, token: bea.token }));
    await setUser(bea.id, { status: 'suspended' });
    expect(shows(await file(prefix))).toBe(false);
  });
});

describe('a share with files', () => {
  it('shows its owner an address that stays the same for minutes', async () => {
    const id = await newSite({ password: 'Abc123' });
    const look = () => call('GET /api/share', { token: ann.token, query: { id, mine: 'true' } });
    const first = await look();
    const { body, headers } = await look();
    expect(headers['etag']).toBe(first.headers['etag']);
    const [, prefix = ''] = /^https:\/\/snippets\.test\/(.*)\/$/.exec(body.filesUrl) ?? [];
    expect(shows(await file(prefix))).toBe(true);
  });

  it('counts one view on its page, whatever is loaded', async () => {
    const id = await newSite({ viewLimit: 5 });
    const { prefix } = await openSite(id);
    for (const path of ['app.js', 'index.html', 'other.html', '']) await file(prefix, path);
    const { body } = await call('GET /api/share', {
      token: ann.token,
      query: { id, mine: 'true' },
    });
    expect(body.views).toBe(1);
  });

  it('is sent back as it was read', async () => {
    const id = await newSite({ password: 'Abc123' });
    const look = () => call('GET /api/share', { token: ann.token, query: { id, mine: 'true' } });
    const { body } = await look();
    pass(6 * minute);
    const answer = await hers().put(id, { ...body, title: 'Site' });
    expect([answer.status, answer.body.title, answer.body.fileTotals]).toEqual([
      200,
      'Site',
      { count: 3, bytes: 2 * text.length + secret.length },
    ]);
    expect((await look()).body.files).toEqual(body.files);
    expect((await hers().put(id, { fileTotals: { count: 9, bytes: 1 } })).status).toBe(400);
  });

  it('shows moderators its list, and where they may see the content its files', async () => {
    const [open, hidden] = [
      await newSite({ viewLimit: 3 }),
      await newSite({ audience: 'private' }),
    ];
    const seen = (await sharesOf(mod).manage(open)).body.data;
    expect([seen.files.length, seen.fileTotals.count]).toEqual([3, 3]);
    const [, prefix = ''] = /^https:\/\/snippets\.test\/(.*)\/$/.exec(seen.filesUrl) ?? [];
    expect(shows(await file(prefix))).toBe(true);
    expect((await sharesOf(mod).manage(open)).body.data.views).toBe(0);
    const { body } = await sharesOf(mod).manage(hidden);
    expect([body.data.files, body.data.fileTotals, body.data.filesUrl]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await sharesOf(mod).decide(open, 'take-down');
    const down = (await sharesOf(mod).manage(open)).body.data;
    expect([down.files.length, down.filesUrl]).toEqual([3, undefined]);
    expect((await file(prefix)).status).toBe(410);
  });
});
