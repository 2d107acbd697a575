import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { runJobs, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { gateOf } from '../../../support/shares/account.ts';
import {
  content,
  linksOf,
  report,
  reportByPage,
  sharesOf,
} from '../../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...linksOf(person) };

/** Creates a share with a link, and the requests of who has it. */
const newLink = async (ofShare: object = {}, ofLink: object = {}) => {
  const id = await ann.newShare(ofShare);
  const link = (await ann.addLink(id, { label: 'Mei', ...ofLink })).body.id as string;
  return {
    id,
    link,
    page: (token?: string) => page(link, token),
    raw: (token?: string) => raw(link, token),
    open: (fields: Readonly<Record<string, string>> = {}) => open(link, fields),
    views: async () => (await ann.links(id)).body.items[0].views as number,
  };
};

describe('the page of a recipient link', () => {
  it('asks first, also for a share that anyone can read, and counts no view', async () => {
    const mei = await newLink({ title: 'Hidden' });
    const { status, body, headers } = await mei.page();
    expect(status).toBe(200);
    expect(body).toContain(`action="/s/${mei.link}/open"`);
    expect(body).not.toContain('Hidden');
    expect(headers['cache-control']).toContain('no-store');
    expect([await mei.views(), (await gateOf(mei.id))?.views]).toEqual([0, 0]);
  });

  it('says how many views the link has left, if that is less than those of the share', async () => {
    const mei = await newLink({ viewLimit: 5 }, { viewLimit: 2 });
    expect((await mei.page()).body).toContain('Opening it uses 1 of 2 remaining views.');
    expect((await page(mei.id)).body).toContain('Opening it uses 1 of 5 remaining views.');
  });

  it('opens by its form once, and shows page, source and frame for a minute', async () => {
    const mei = await newLink({ content: '<p>Hi</p>' }, { viewLimit: 1 });
    const opened = await mei.open({ claim: 'a-nonce' });
    const token = tokenIn(opened);
    expect(opened.headers['location']).toBe(`/s/${mei.link}?view=${token}`);
    expect((await mei.open({ claim: 'a-nonce' })).status).toBe(303);
    const shown = await mei.page(token);
    expect(shown.body).toContain(`data-copies-link="https://handbill.test/s/${mei.link}"`);
    expect(shown.body).toContain(`src="https://snippets.test/${mei.link}?view=${token}"`);
    expect(shown.body).not.toContain('og:title');
    expect((await mei.raw(token)).body).toBe('<p>Hi</p>');
    expect((await frame(mei.link, token)).status).toBe(200);
    await runJobs();
    expect([await mei.views(), (await gateOf(mei.id))?.views]).toEqual([1, 1]);
    pass(61_000);
    expect((await mei.page(token)).status).toBe(410);
    expect((await mei.open({ claim: 'another' })).status).toBe(410);
    expect((await page(mei.id)).status).toBe(200);
  });

  it('counts a form for the link that it is sent with', async () => {
    const mei = await newLink();
    const luca = (await ann.addLink(mei.id)).body.id as string;
    await mei.open({ claim: 'a-nonce' });
    const token = tokenIn(await open(luca, { claim: 'a-nonce' }));
    const { items } = (await ann.links(mei.id)).body;
    expect(items.map(({ views }: { views: number }) => views)).toEqual([1, 1]);
    // The token of one link opens no other.
    expect((await mei.raw(token)).status).toBe(401);
  });

  it('keeps the password gate', async () => {
    const mei = await newLink({ password: 'Abc123' });
    const refused = await mei.open({ password: 'wrong1' });
    expect(refused.status).toBe(401);
    expect(refused.body).toContain(`action="/s/${mei.link}/open"`);
    expect(await mei.views()).toBe(0);
    expect((await mei.page(tokenIn(await mei.open({ password: 'Abc123' })))).status).toBe(200);
    expect(await mei.views()).toBe(1);
  });

  it('asks to open the page before the source, with the link', async () => {
    const mei = await newLink();
    const { status, body } = await mei.raw();
    expect([status, body]).toEqual([401, expect.stringContaining('Open the snippet first')]);
    const headers = { accept: 'text/html' };
    const notice = await call('GET /s/{id}/raw', { params: { id: mei.link }, headers });
    expect(notice.body).toContain(`href="/s/${mei.link}">Go to snippet`);
  });

  it('ends at once when its link is revoked, also within the minute of a view', async () => {
    const mei = await newLink({ viewLimit: 3 });
    const token = tokenIn(await mei.open());
    expect((await mei.raw(token)).status).toBe(200);
    await ann.revokeLink(mei.id, mei.link);
    const answers = [
      mei.page(),
      mei.page(token),
      mei.raw(token),
      mei.open(),
      frame(mei.link, token),
    ];
    for (const answer of answers) expect((await answer).status).toBe(410);
    expect((await page(mei.id)).status).toBe(200);
  });

  it('opens by a token of its own alone', async () => {
    const mei = await newLink({ viewLimit: 9, readersCanEnd: true });
    const [mine, plain] = [tokenIn(await mei.open()), tokenIn(await open(mei.id))];
    const luca = (await ann.addLink(mei.id)).body.id as string;
    const tries = [
      [mei.link, plain],
      [luca, mine],
      [mei.id, mine],
    ] as const;
    for (const [address, token] of tries) {
      expect((await page(address, token)).body).toContain('Someone shared a snippet with you');
      expect((await raw(address, token)).status).toBe(401);
      expect((await frame(address, token)).status).toBe(404);
    }
    expect((await gateOf(mei.id))?.views).toBe(2);
  });

  it('is fetched by scanners, whatever they send, without a view', async () => {
    const mei = await newLink({ viewLimit: 1, readersCanEnd: true });
    const luca = (await ann.addLink(mei.id, { label: 'Luca', viewLimit: 1 })).body.id as string;
    for (const id of [mei.link, luca, mei.id]) {
      for (const method of ['GET', 'HEAD']) {
        for (const path of ['', '/raw', '/report', '/end', '/revisions', '/embed', '/open']) {
          const endpoint = path === '/open' ? '/s/{id}' : `/s/{id}${path}`;
          const query = { view: 'x', download: 'page', password: 'x', token: 'x', claim: 'a' };
          for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { accept: 'text/html' }])
            await call(`${method} ${endpoint}`, { params: { id }, headers, query });
        }
        for (const dest of ['document', 'iframe'])
          await call(`${method} /{id}`, { params: { id }, headers: { 'sec-fetch-dest': dest } });
      }
    }
    await settleJobs();
    expect([await mei.views(), (await gateOf(mei.id))?.views]).toEqual([0, 0]);
    expect((await mei.open()).status).toBe(303);
  });

  it('can be reported, also after its end, which shows moderators nothing of a private share', async () => {
    const mei = await newLink({ audience: 'private' }, { viewLimit: 1 });
    await mei.open();
    const admin = sharesOf(await newUserOf('super_admin'));
    const shown = async () => (await admin.manage(mei.id)).body.data.content;
    expect((await reportByPage(mei.link)).headers['location']).toBe(
      `/s/${mei.link}/report?sent=true`,
    );
    expect(await shown()).toBe(content);
    await admin.decide(mei.id, 'keep');
    await ann.revokeLink(mei.id, mei.link);
    expect((await report(mei.link)).body.id).toBe(mei.link);
    expect(await shown()).not.toBe(content);
    expect((await admin.manage(mei.id)).body.data).toMatchObject({ reports: 1 });
  });
});

describe('the page of a recipient link for the owner of its share', () => {
  const asOwner = (id: string, path = '', query = {}) =>
    call(`GET /s/{id}${path}`, { params: { id }, token: person.token, query });

  it('counts and asks nothing, and has the address of the link', async () => {
    const mei = await newLink(
      { content: '<p>Hi</p>', password: 'Abc123', viewLimit: 2, embedOrigins: ['*'] },
      { viewLimit: 1 },
    );
    await ann.put(mei.id, { content: '<p>Again</p>' });
    const { status, body, headers } = await asOwner(mei.link);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('This is yours');
    expect(body).toContain(`data-copies-link="https://handbill.test/s/${mei.link}"`);
    expect(body).toContain(`href="/?edit=${mei.id}"`);
    for (const other of [`/s/${mei.id}`, '/revisions', '/embed', `snippets.test/${mei.id}`])
      expect(body).not.toContain(other);
    const [, view] = /snippets\.test\/to_[\w-]+\?view=([^"&]+)/.exec(body) ?? [];
    expect((await frame(mei.link, view)).body).toContain('<p>Again</p>');
    expect((await asOwner(mei.link, '/raw')).body).toBe('<p>Again</p>');
    const sent = { params: { id: mei.link }, token: person.token, ...form({ claim: 'a-nonce' }) };
    expect((await call('POST /s/{id}/open', sent)).headers['location']).toBe(`/s/${mei.link}`);
    expect([await mei.views(), (await gateOf(mei.id))?.views]).toEqual([0, 0]);
  });

  it('is previewed and left by the link, also before the last view of the share', async () => {
    const mei = await newLink({ content: '<p>Hi</p>', viewLimit: 1, readersCanEnd: true });
    const veiled = await asOwner(mei.link);
    expect(veiled.body).toContain(`href="/s/${mei.link}?preview"`);
    expect(veiled.body).not.toContain('<iframe');
    const { body } = await asOwner(mei.link, '', { preview: '' });
    expect(body).toContain(`<a href="/s/${mei.link}">Close preview`);
    expect(body).toContain(`src="https://snippets.test/${mei.link}?view=`);
    const token = /\/end\?token=([\w.-]+)/.exec(String(body))?.[1] ?? '';
    expect((await asOwner(mei.link, '/end', { token })).status).toBe(200);
    for (const page of [veiled.body, body]) expect(page).not.toContain(`/s/${mei.id}`);
    expect(await mei.views()).toBe(0);
  });

  it('is kept by no browser, because it has a token', async () => {
    const mei = await newLink({ content: '<p>Hi</p>' });
    expect((await asOwner(mei.link)).headers['cache-control']).toBe('no-store');
    expect((await asOwner(mei.link, '/raw')).headers['cache-control']).toBe('no-store');
  });

  it('says that the link has ended, as to its recipient', async () => {
    const mei = await newLink({}, { viewLimit: 1 });
    await mei.open();
    expect((await asOwner(mei.link)).body).toContain('This link has reached its view limit');
    await ann.revokeLink(mei.id, mei.link);
    expect((await asOwner(mei.link)).status).toBe(410);
    await ann.put(mei.id, { expiresIn: 60 });
    expect((await asOwner(mei.link)).body).toContain('This link was revoked');
    await ann.end(mei.id);
    expect((await asOwner(mei.link)).body).toContain('You stopped sharing it.');
  });
});
