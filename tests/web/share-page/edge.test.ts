import { describe, expect, it } from 'vitest';
import { edgeHeaders } from '../../../shared/http/edge.ts';
import { edgeSecret, useEdgeSecret, withoutEdge } from '../../support/edge/edge-secret.ts';
import { markdown, open, share, usePages } from '../../support/pages/served-pages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newPerson, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
const { service, snippets } = usePages();

const forSeconds = (seconds: number) =>
  `public, max-age=0, s-maxage=${seconds}, stale-if-error=0, must-revalidate`;
const always = 'public, max-age=0, must-revalidate';

const vouch = (headers: Record<string, string>, address = '198.51.100.7') => ({
  ...headers,
  [edgeHeaders.secret]: edgeSecret,
  [edgeHeaders.address]: address,
  [edgeHeaders.host]: 'handbill.test',
});

const get = (path: string, headers: Record<string, string> = {}, address?: string) =>
  service(path, vouch(headers, address));

const change = (person: Pick<Person, 'token'>, id: string, body: object) =>
  withoutEdge(() => sharesOf(person).put(id, body));

const newShare = (fields: object = {}, person?: Person) =>
  withoutEdge(() => share({ ...markdown, ...fields }, person));

const signedIn = async () => {
  const person = await withoutEdge(() => newPerson());
  const [cookie = ''] = (await withoutEdge(() => login(person.email))).cookies ?? [];
  return { ...person, cookie: cookie.split(';')[0] ?? '' };
};

const views = async ({ id, token }: { readonly id: string; readonly token: string }) => {
  await withoutEdge(runJobs);
  return (await withoutEdge(() => sharesOf({ token }).look(id))).body.views;
};

describe('the page of an unlimited share behind a CDN', () => {
  const meter = useMeter();
  useEdgeSecret();

  it('is the same for everyone without a session, and kept for 5 s', async () => {
    const { id } = await newShare();
    const first = await get(`/s/${id}`, { 'user-agent': 'one', 'accept-language': 'de' });
    pass(2_000);
    const second = await get(
      `/s/${id}`,
      { 'user-agent': 'two', cookie: 'other=1', referer: 'https://a.example.com/' },
      '203.0.113.9',
    );
    expect(first.headers['cache-control']).toBe(forSeconds(5));
    expect(second.headers['cache-control']).toBe(forSeconds(5));
    expect(first.bytes.length).toBeGreaterThan(1_000);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(second.headers.etag).toBe(first.headers.etag);
    for (const { headers } of [first, second]) expect(headers['set-cookie']).toBe(undefined);
    expect(first.text).toContain(`data-counts="/s/${id}/view"`);
  });

  it('has the colors that the reader chose', async () => {
    const { id } = await newShare();
    const [none, dark, again] = [
      await get(`/s/${id}`),
      await get(`/s/${id}`, { cookie: 'theme=dark' }),
      await get(`/s/${id}`, { cookie: 'theme=dark; other=2' }),
    ];
    expect(none.text).not.toContain('data-theme');
    expect(dark.text).toContain('data-theme="dark"');
    expect(again.bytes.equals(dark.bytes)).toBe(true);
  });

  it('is read once in 2 s by an instance', async () => {
    const { id } = await newShare();
    const reads = async () => (await meter.measure(() => get(`/s/${id}`))).requests;
    expect(await reads()).toEqual({ table: 2, bucket: 0, queue: 0 });
    pass(1_999);
    expect(await reads()).toEqual({ table: 0, bucket: 0, queue: 0 });
    pass(1);
    expect(await reads()).toEqual({ table: 2, bucket: 0, queue: 0 });
  });

  it('shows a change after 2 s at the latest, and its end', async () => {
    const ann = await withoutEdge(() => newPerson());
    const { id } = await newShare({ title: 'One' }, ann);
    expect((await get(`/s/${id}`)).text).toContain('<title>One');
    await change(ann, id, { title: 'Two' });
    pass(2_000);
    expect((await get(`/s/${id}`)).text).toContain('<title>Two');
    await change(ann, id, { viewLimit: 5 });
    pass(2_000);
    expect((await get(`/s/${id}`)).text).toContain('Opening it uses 1 of');
    await change(ann, id, { viewLimit: null });
    expect((await get(`/s/${id}`)).status).toBe(200);
    await withoutEdge(() => sharesOf(ann).end(id));
    pass(2_000);
    const ended = await get(`/s/${id}`);
    expect([ended.status, ended.headers['cache-control']]).toEqual([410, 'no-store']);
  });

  it('is never kept past its expiration', async () => {
    const { id } = await newShare({ expiresIn: 3 });
    expect((await get(`/s/${id}`)).headers['cache-control']).toBe(forSeconds(3));
    pass(1_500);
    expect((await get(`/s/${id}`)).headers['cache-control']).toBe(forSeconds(1));
    pass(1_000);
    expect((await get(`/s/${id}`)).headers['cache-control']).toBe(always);
    pass(500);
    expect((await get(`/s/${id}`)).status).toBe(410);
  });

  it('is not kept with a session, with credentials, for a limit, a password or a link', async () => {
    const ann = await signedIn();
    const bob = await signedIn();
    const { id } = await newShare({}, ann);
    const limited = await newShare({ viewLimit: 3 }, ann);
    const locked = await newShare({ password: 'Abc123' }, ann);
    const { body: link } = await withoutEdge(() => linksOf(ann).addLink(id));
    const opened = await withoutEdge(() => open(limited.id));
    const answers = [
      await get(`/s/${id}`, { cookie: ann.cookie }),
      await get(`/s/${id}`, { cookie: bob.cookie }),
      await get(`/s/${id}`, { cookie: '__Host-session=expired' }),
      await get(`/s/${id}`, { authorization: `Bearer ${ann.token}` }),
      await get(`/s/${limited.id}`),
      await get(opened),
      await get(`/s/${locked.id}`),
      await get(`/s/${link.id}`),
      await get('/s/nothing'),
      await get(`/s/${id}/raw`),
      await get(`/s/${id}/report`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill(200), 404, 200, 200]);
    for (const { headers, text } of answers) {
      expect(headers['cache-control']).not.toContain('s-maxage');
      expect(text).not.toContain('data-counts');
    }
    expect(answers[0]?.text).toContain('This is yours');
    expect(answers[0]?.headers['cache-control']).toBe('private, no-cache');
    for (const at of [4, 5, 6, 7, 8])
      expect(answers[at]?.headers['cache-control']).toBe('no-store');
    expect(answers[4]?.text).not.toBe((await get(`/s/${limited.id}`)).text);
  });

  it('frames a snippet that is kept as long', async () => {
    const ann = await withoutEdge(() => newPerson());
    const { id } = await withoutEdge(() => share({ content: '<p>One</p>' }, ann));
    const frame = () => snippets(`/${id}`, vouch({}));
    const first = await frame();
    expect(first.headers['cache-control']).toBe(forSeconds(5));
    await change(ann, id, { content: '<p>Two</p>', embedOrigins: ['https://a.example.com'] });
    expect((await frame()).bytes.equals(first.bytes)).toBe(true);
    pass(2_000);
    const changed = await frame();
    expect(changed.text).toContain('Two');
    expect(changed.headers['content-security-policy']).toContain('https://a.example.com');
    await change(ann, id, { password: 'Abc123' });
    pass(2_000);
    const locked = await frame();
    expect([locked.status, locked.headers['cache-control']]).toEqual([404, 'no-store']);
  });
});

describe('the views of an unlimited share behind a CDN', () => {
  useEdgeSecret();

  const view = (id: string, { claim, ...options }: { claim?: string; token?: string } = {}) =>
    call('POST /s/{id}/view', {
      params: { id },
      headers: vouch({}),
      body: claim === undefined ? {} : { claim },
      ...options,
    });

  it('are counted by the script of the page, each once, and not when it is made', async () => {
    const made = await newShare();
    await get(`/s/${made.id}`);
    await get(`/s/${made.id}`);
    expect(await views(made)).toBe(0);
    expect((await view(made.id, { claim: 'first-view' })).body).toEqual({ isOwner: false });
    await view(made.id, { claim: 'second-view' });
    await view(made.id, { claim: 'second-view' });
    expect(await views(made)).toBe(2);
    await view(made.id, { claim: 'second-view' });
    expect(await views(made)).toBe(2);
    await view(made.id);
    expect(await views(made)).toBe(3);
  });

  it('are counted when they are made for a user with a session, but not for the owner', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    const made = await newShare({}, ann);
    await get(`/s/${made.id}`, { cookie: ann.cookie });
    expect(await views(made)).toBe(0);
    await get(`/s/${made.id}`, { cookie: bob.cookie });
    expect(await views(made)).toBe(1);
  });

  it('tell the owner from others', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    const { id } = await newShare({}, ann);
    expect((await view(id, { token: ann.token })).body).toEqual({ isOwner: true });
    expect((await view(id, { token: bob.token })).body).toEqual({ isOwner: false });
  });

  it('tell whom a share is not for no more than of an unknown one', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    const { id } = await newShare({ audience: 'private' }, ann);
    expect((await view(id, { token: ann.token })).body).toEqual({ isOwner: true });
    expect([(await view(id, { token: bob.token })).status, (await view(id)).status]).toEqual([
      404, 401,
    ]);
  });

  it('count neither for a limited share nor for one that has ended or never existed', async () => {
    const limited = await newShare({ viewLimit: 3 });
    const closed = await newShare();
    expect((await view(limited.id)).body).toEqual({ isOwner: false });
    expect(await views(limited)).toBe(0);
    const { id } = closed;
    await withoutEdge(() => sharesOf(closed).end(id));
    expect((await view(id)).status).toBe(410);
    expect((await view('nothing')).status).toBe(404);
    expect(await views(closed)).toBe(0);
  });
});

describe('without a CDN', () => {
  it('the page is as it was: for every cache to ask, and counted when it is made', async () => {
    const made = await share(markdown);
    const { headers, text } = await service(`/s/${made.id}`);
    expect(headers['cache-control']).toBe(always);
    expect(text).not.toContain('data-counts');
    expect((await service(`/s/${made.id}`)).text).toBe(text);
    expect(await views(made)).toBe(2);
  });
});
