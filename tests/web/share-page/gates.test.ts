import { afterEach, describe, expect, it, vi } from 'vitest';
import { cardTags, findPreviewTags } from '../../support/card/tags.ts';
import { type CallOptions, call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
const meter = useMeter();
const { ann, bob, eve } = usePeople({ ann: 'user', bob: 'user', eve: 'user' });
afterEach(() => vi.unstubAllEnvs());

const share = (body: object = {}) =>
  sharesOf(ann).newShare({
    ...{ content: '# Secret plans', language: 'markdown', description: 'For Bob' },
    ...{ readers: [bob.id], showsRevisions: true, readersCanEnd: true, ...body },
  });
const asPage = { accept: 'text/html' };
const ask = async (endpoint: string, id: string, options: CallOptions = {}) => {
  const answer = await call(endpoint, {
    params: { id },
    ...options,
    headers: { ...asPage, ...options.headers },
  });
  return { status: answer.status, page: String(answer.body) };
};
const open = (id: string, options: CallOptions = {}) => ask('GET /s/{id}', id, options);
const ofRequest = (page: string, id: string) =>
  page.replaceAll(id, '{id}').replace(/Request [\w-]+/, 'Request {request}');

describe('a share that isn’t open to all, for the signed out', () => {
  it.each([
    ['GET /s/{id}', '', {}],
    ['GET /s/{id}/raw', '/raw?file=a.ts', { query: { file: 'a.ts' } }],
    ['GET /s/{id}/report', '/report', {}],
    ['GET /s/{id}/end', '/end', {}],
    ['GET /s/{id}/revisions', '/revisions', {}],
    ['POST /s/{id}/open', '', form({ password: 'Abc123' })],
    ['POST /s/{id}/report', '', form({ reason: 'It copies a page' })],
    ['POST /s/{id}/end', '', form({})],
  ])('asks to sign in and leads back: %s', async (endpoint, rest, options) => {
    const id = await share();
    const { status, page } = await ask(endpoint, id, options);
    expect(status).toBe(401);
    expect(page).toContain('<h1>Sign in to open this</h1>');
    const next = `/s/${id}${rest.replace(/[?=]/g, (mark) => encodeURIComponent(mark))}`;
    expect(page).toContain(`href="/login?next=${next}"`);
    for (const secret of ['Secret', 'For Bob', 'Ann']) expect(page).not.toContain(secret);
    expect(findPreviewTags(page)).toEqual(cardTags);
  });

  it.each([
    ['open', true],
    ['invite', false],
  ])('offers an account where registration is %s', async (mode, isOffered) => {
    const id = await share();
    vi.stubEnv('REGISTRATION', mode);
    expect((await open(id)).page.includes(`href="/register?next=/s/${id}"`)).toBe(isOffered);
  });

  it('asks for the session by script first, where the browser came from another site', async () => {
    const id = await share();
    const arrival = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await open(id, arrival)).page).toContain('/assets/scripts/arrival-key.');
    expect((await open(id)).page).not.toContain('/assets/scripts/arrival');
    const ended = await share({ audience: 'link', readers: [] });
    await sharesOf(ann).end(ended);
    expect((await open(ended, arrival)).page).toContain('/assets/scripts/arrival-resume.');
  });

  it('asks to verify the address first, where that is missing', async () => {
    const id = await share();
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    const { status, page } = await open(id, { token: bob.token });
    expect(status).toBe(401);
    expect(page).toContain('<h1>Verify your email to open this</h1>');
    expect(page).toContain(`href="/verify?next=/s/${id}"`);
  });

  it('is a line for other clients of its source', async () => {
    const { body } = await call('GET /s/{id}/raw', { params: { id: await share() } });
    expect(body).toBe('Sign in to see this share.\n');
  });

  it('shows sites that embed it the way to its page', async () => {
    const id = await share({ embedOrigins: ['*'] });
    const { status, page } = await ask('GET /s/{id}/embed', id);
    expect(status).toBe(401);
    expect(page).toContain('<h1>Sign in to open this</h1>');
    expect(page).toContain(`href="https://handbill.test/s/${id}">Open snippet</a>`);
    expect(page).not.toContain('Secret');
  });
});

describe('a page for an account that can’t open a share', () => {
  it('is that of an id which no share has, as soon, and names the account', async () => {
    const [id, unknown] = [await share(), 'AAAAAAAAAAAAAAAAAAAAAA'];
    const look = (of: string) => meter.measure(() => open(of, { token: eve.token }));
    const [here, nowhere] = [await look(id), await look(unknown)];
    expect(here.result.status).toBe(404);
    expect(ofRequest(here.result.page, id)).toBe(ofRequest(nowhere.result.page, unknown));
    expect([here.trips, here.requests]).toEqual([nowhere.trips, nowhere.requests]);
    for (const shown of [
      '<h1>Snippet not found</h1>',
      'or it wasn’t shared with this account.',
      `<span class="cut">${eve.email}</span>`,
      `data-switches="/login?why=out&amp;next=/s/${id}"`,
      'href="/shares?with=me"',
    ]) {
      expect(here.result.page).toContain(shown);
    }
  });

  it('offers no way in to the signed out who have an id', async () => {
    const { status, page } = await open('AAAAAAAAAAAAAAAAAAAAAA');
    expect([status, page.includes('/login')]).toEqual([404, false]);
    expect(page).toContain('The link is wrong, or the snippet was deleted.');
  });
});

describe('a name that the signed out can guess', () => {
  it('is answered the same, as soon, and with a way in, whether a share has it or none', async () => {
    const name = `plans-${ann.id}`;
    await share({ slug: name });
    const look = (of: string) => meter.measure(() => open(of));
    const [taken, free] = [await look(name), await look(`${name}-2`)];
    expect(taken.result.status).toBe(404);
    expect(ofRequest(taken.result.page, name)).toBe(ofRequest(free.result.page, `${name}-2`));
    expect([taken.trips, taken.requests]).toEqual([free.trips, free.requests]);
    expect(taken.result.page).toContain('or you need to sign in to see it.');
    expect(taken.result.page).toContain(`href="/login?next=/s/${name}"`);
    expect((await open(name, { token: bob.token })).status).toBe(200);
  });
});

describe('the page of a share that isn’t open to all', () => {
  it('is no preview for other services, and kept by no cache but the browser’s', async () => {
    const id = await share();
    for (const { token } of [ann, bob]) {
      const { body, headers } = await call('GET /s/{id}', { params: { id }, token });
      expect(body).toContain('Secret plans');
      expect(body).not.toMatch(/og:|canonical|name="description"/);
      expect(headers['cache-control']).not.toContain('public');
    }
  });

  it.each([
    ['a person', () => ({ readers: [bob.id] }), 'Bob Example'],
    ['two', () => ({ readers: [bob.id, eve.id] }), 'Bob Example and 1 other'],
    ['nobody else', () => ({ audience: 'private', readers: undefined }), 'only you'],
    ['members', () => ({ audience: 'members', readers: undefined }), 'everyone here'],
    ['a password', () => ({ password: 'Abc123' }), 'Bob Example, with the password'],
  ])('tells its owner who can open it: %s', async (_, getFields, told) => {
    vi.stubEnv('REGISTRATION', 'invite');
    const { page } = await open(await share(getFields()), { token: ann.token });
    expect(page).toContain(`0 views · ${told}</span>`);
  });

  it('tells who can open it by now, where the service allows less', async () => {
    const id = await share({ audience: 'link', readers: undefined, embedOrigins: ['*'] });
    vi.stubEnv('MAX_AUDIENCE', 'private');
    const { page } = await open(id, { token: ann.token });
    expect(page).toContain('· only you</span>');
    expect(page).not.toContain('Copy embed code');
  });
});
