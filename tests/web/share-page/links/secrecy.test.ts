import { beforeAll, describe, expect, it } from 'vitest';
import { listGroups } from '../../../../functions/routes.ts';
import { usePages } from '../../../support/pages/served-pages.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { findDisclosed } from '../../../support/shares/disclosed.ts';
import { linksOf, reason, sharesOf } from '../../../support/shares/requests.ts';
import { open, page, tokenIn } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
const { service } = usePages();

const { ann, bob } = usePeople({ ann: newPerson, bob: newPerson });
const hers = () => ({ ...sharesOf(ann), ...linksOf(ann) });

const html = '<h1>Hi</h1><script>1</script>';
const markdown = [
  '# Hi\n## One\n## Two\n## Three',
  '```ts title="app.ts"\nlet a;\n```',
  '```mermaid\ngraph TD;A-->B\n```',
].join('\n\n');
const all = { readersCanEnd: true, showsRevisions: true, embedOrigins: ['*'], description: 'A' };

const cases: Readonly<Record<string, () => { content: string; password?: string }>> = {
  'open to all, with a name': () => ({ ...all, content: html, slug: `offer-${bob.id}` }),
  'of Markdown': () => ({ ...all, content: markdown, language: 'markdown', title: 'Offer' }),
  'with a password and a limit': () => ({
    ...all,
    content: html,
    password: 'Abc123',
    viewLimit: 9,
  }),
  private: () => ({ content: html, audience: 'private', readersCanEnd: true }),
  'for people': () => ({
    ...{ content: markdown, language: 'markdown', readersCanEnd: true },
    ...{ readers: [bob.id], slug: `people-${bob.id}` },
  }),
};

const asBrowser = { accept: 'text/html', 'sec-fetch-dest': 'document' };

describe.each(Object.entries(cases))('by a link, a share %s', (_, toBody) => {
  /** The answers to who has the link. */
  const answers: Answer[] = [];
  let id = '';
  let link = '';
  /** Links to the same share. */
  let others: readonly string[] = [];
  /** What no answer tells. */
  let secrets: readonly string[] = [];

  const ask = async (endpoint: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await call(endpoint, { params: { id: link }, ...options });
    answers.push(answer);
    return answer;
  };
  const statuses = async (asked: readonly Promise<Answer>[]) =>
    (await Promise.all(asked)).map(({ status }) => status);
  const send = (endpoint: string, fields: Readonly<Record<string, string>> = {}) =>
    ask(endpoint, form(fields));

  beforeAll(async () => {
    const { content, ...fields } = toBody();
    id = await hers().newShare({ content: 'Before', ...fields });
    await hers().put(id, { content });
    const links: string[] = [];
    for (const label of ['Mei', 'Luca', 'Zoe', 'Kim']) {
      const rules = { Luca: { viewLimit: 1 }, Zoe: { expiresIn: 30 } }[label];
      links.push((await hers().addLink(id, { label, ...rules })).body.id);
    }
    [link = '', ...others] = links;
    const slug = 'slug' in fields ? [String(fields.slug)] : [];
    secrets = [id, ...slug, ...others];
  });

  it('is shown and read under the id of the link alone', async () => {
    const { content, password } = toBody();
    const given = password === undefined ? {} : { password };
    const key = password === undefined ? {} : { 'x-share-password': password };
    const isHtml = content === html;
    const arrival = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect(
      await statuses([
        ask('GET /s/{id}'),
        ask('HEAD /s/{id}'),
        ask('GET /s/{id}', arrival),
        ask('GET /s/{id}', { token: bob.token }),
        ask('GET /s/{id}/raw'),
        ask('GET /s/{id}/raw', { headers: asBrowser }),
        ask('GET /{id}'),
        ask('GET /{id}', { headers: asBrowser }),
      ]),
    ).toEqual([200, 200, 200, 200, 401, 401, 404, 303]);
    if (password !== undefined) {
      expect((await send('POST /s/{id}/open', { password: 'Wrong1' })).status).toBe(401);
    }
    const opened = await send('POST /s/{id}/open', { claim: 'a-nonce', ...given });
    expect([opened.status, tokenIn(opened)]).toEqual([303, expect.any(String)]);
    const query = { view: tokenIn(opened) ?? '' };
    expect(
      await statuses([
        ask('GET /s/{id}', { query }),
        ask('HEAD /s/{id}', { query }),
        ask('GET /s/{id}', { query, ...arrival }),
        ask('GET /s/{id}', { query, token: bob.token }),
        ask('GET /s/{id}/raw', { query }),
        ask('GET /s/{id}/raw', { query: { ...query, download: '' } }),
        ask('GET /s/{id}/raw', { query: { ...query, file: 'app.ts' } }),
        ask('GET /{id}', { query }),
        ask('GET /{id}', { query, headers: asBrowser }),
      ]),
    ).toEqual([200, 200, 200, 200, 200, 200, isHtml ? 404 : 200, isHtml ? 200 : 404, 403]);
    for (const path of [`${link}/raw?view=${query.view}&download=page`, `${link}).`]) {
      const { text: body, headers, ...got } = await service(`/s/${path}`);
      answers.push({ ...got, body, headers: headers as Answer['headers'] });
    }
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([200, 308]);
    const api = [
      ask('GET /api/share', { query: { id: link }, headers: key }),
      ask('HEAD /api/share', { query: { id: link }, headers: key }),
      ask('GET /api/share', { query: { id: link }, headers: key, token: bob.token }),
      ask('GET /api/share', { query: { id: link }, headers: key, token: ann.token }),
      ask('GET /api/share', { query: { id: link, mine: 'true' }, token: ann.token }),
      ask('GET /api/share', { query: { id: link }, headers: { 'sec-purpose': 'prefetch' } }),
    ];
    expect(await statuses(api)).toEqual([200, 200, 200, 200, 404, 400]);
    for (const at of [0, 2, 3]) {
      const { body } = (await api[at]) as Answer;
      expect(body).toMatchObject({ id: link, slug: null, url: `https://handbill.test/s/${link}` });
    }
  });

  it('is reported and ended under it, and tells no more once its link or it has ended', async () => {
    const { password } = toBody();
    const given = password === undefined ? {} : { password };
    const shown = await page(link, tokenIn(await open(link, given)));
    const token = /\/end\?token=([\w.-]+)/.exec(String(shown.body))?.[1] ?? '';
    answers.push(shown);
    expect(
      await statuses([
        ask('GET /s/{id}/report'),
        ask('GET /s/{id}/report', { query: { sent: 'true' } }),
        send('POST /s/{id}/report', { reason: '' }),
        send('POST /s/{id}/report', { reason }),
        ask('POST /api/share/{id}/report', { body: { reason } }),
        ask('GET /s/{id}/end'),
        ask('GET /s/{id}/end', { query: { token } }),
      ]),
    ).toEqual([200, 200, 400, 303, 201, 404, 200]);
    const [used = '', , revoked = ''] = others;
    await open(used, given);
    await hers().revokeLink(id, revoked);
    pass(30_000);
    for (const other of others) {
      const untold = [link, ...secrets].filter((one) => one !== other);
      for (const endpoint of ['GET /s/{id}', 'GET /s/{id}/raw', 'GET /{id}']) {
        const answer = await call(endpoint, { params: { id: other } });
        expect([answer.status, findDisclosed(answer, untold)]).toEqual([410, []]);
      }
    }
    expect(await statuses([send('POST /s/{id}/end', { token })])).toEqual([303]);
    expect(
      await statuses([
        ask('GET /s/{id}'),
        ask('GET /s/{id}/raw'),
        ask('GET /s/{id}/report'),
        ask('GET /{id}'),
        ask('GET /api/share', { query: { id: link } }),
      ]),
    ).toEqual([410, 410, 410, 410, 410]);
  });

  it('is named in no answer: not its id, not its name and not another link', () => {
    expect(answers.length).toBeGreaterThan(35);
    expect(answers.map((answer) => findDisclosed(answer, secrets))).toEqual(answers.map(() => []));
  });
});

it('The id of a share is found in the token of its plain address, encoded as it is there', async () => {
  const id = await hers().newShare({ content: html, viewLimit: 2 });
  const token = tokenIn(await open(id)) ?? '';
  expect(token).not.toContain(id);
  for (const body of [token, `<p>${Buffer.from(`${id} x`).toString('base64')}</p>`, `a%2F${id}`])
    expect(findDisclosed({ status: 200, headers: {}, body }, [id, 'other'])).toEqual([id]);
});

describe('The routes of shares', () => {
  /** The routes that know recipient links. To all others a link is an unknown share, whoever asks. */
  const known = [
    'POST /api/share/{id}/report',
    'GET /s/{id}',
    'GET /s/{id}/raw',
    'POST /s/{id}/open',
    'GET /s/{id}/end',
    'POST /s/{id}/end',
    'GET /s/{id}/report',
    'POST /s/{id}/report',
    'GET /{id}',
  ];

  it('are these alone by a link', async () => {
    const fields = { slug: `route-${ann.id}`, embedOrigins: ['*'], showsRevisions: true };
    const id = await hers().newShare({ content: 'Before', ...fields });
    await hers().put(id, { content: html });
    const { body } = await hers().addLink(id);
    const admin = await newUserOf('super_admin');
    const groups = [...listGroups('service'), ...listGroups('snippets')];
    const endpoints = groups
      .filter(({ name }) => ['share', 'share-page', 'snippet'].includes(name))
      .flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))
      .filter((endpoint) => endpoint.includes('{id}'));
    expect(endpoints).toEqual(expect.arrayContaining(known));
    const params = { id: body.id, version: '1', linkId: body.id, path: 'a.css' };
    const bodies: Readonly<Record<string, object>> = {
      'POST /api/share/{id}/links': { label: 'Mei' },
      'PUT /api/share/{id}/files/{path+}': { content: 'p {}' },
      'PUT /api/shares/{id}/decision': { decision: 'keep' },
    };
    for (const endpoint of endpoints.filter((one) => !known.includes(one))) {
      for (const token of [ann.token, admin.token, undefined]) {
        const sent = endpoint.startsWith('GET') ? {} : { body: bodies[endpoint] ?? {} };
        const answer = await call(endpoint, { params, token, ...sent });
        const isRefused = token !== admin.token && [401, 403].includes(answer.status);
        expect([endpoint, isRefused || answer.status === 404]).toEqual([endpoint, true]);
        expect(findDisclosed(answer, [id, fields.slug])).toEqual([]);
      }
    }
    expect((await page(body.id)).status).toBe(200);
  });
});
