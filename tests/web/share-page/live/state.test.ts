import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../../../support/service/call.ts';
import { runJobs, useJobs } from '../../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { open, tokenIn } from '../../../support/shares/shares.ts';
import { useMeter } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
const meter = useMeter();
const { ann, bob, eve, root } = usePeople({
  ann: 'user',
  bob: 'user',
  eve: 'user',
  root: 'super_admin',
});

const markdown = { content: '# Guide', language: 'markdown' };
const own = sharesOf(ann);
const ask = (id: string, options: CallOptions = {}): Promise<Answer> =>
  call('GET /s/{id}/live', { params: { id }, ...options });
const stateOf = async (id: string, options?: CallOptions): Promise<string> =>
  String((await ask(id, options)).body);
/** What a page tells its script. */
const marksOf = (page: Answer) =>
  String(page.body)
    .match(/<main [^>]*data-live="([^"]*)" data-state="([^"]*)"[^>]*>/)
    ?.slice(1);
const pageOf = (id: string, options: CallOptions = {}): Promise<Answer> =>
  call('GET /s/{id}', { params: { id }, ...options });
/** As the script of a page asks. */
const byScript = { headers: { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' } };

describe('the state of an open page', () => {
  it.each([
    ['Markdown', markdown, { content: '# Other' }],
    ['HTML', { content: '<p>One' }, { content: '<p>Two' }],
  ])('is that of its page, and another one after each change: %s', async (name, fields, change) => {
    const id = await own.newShare({ ...fields, title: 'One' });
    const states: string[] = [];
    for (const edit of [{}, { title: 'Two' }, { description: 'About it' }, change]) {
      await own.put(id, edit);
      const state = await stateOf(id);
      expect(marksOf(await pageOf(id))).toEqual([`/s/${id}/live`, state]);
      states.push(state);
    }
    expect(new Set(states).size).toBe(4);
    // Versions grow, and only another content changes the last part.
    const parts = states.map((state) => state.split('.'));
    expect(parts.map(([version]) => Number(version))).toEqual([1, 2, 3, 4]);
    expect(parts.map(([, , content]) => content === parts[0]?.[2])).toEqual([
      ...[true, true, true],
      false,
    ]);
    await call('PUT /api/users/me', { token: ann.token, body: { name: `Ann ${name}` } });
    expect(await stateOf(id)).not.toBe(states.at(-1));
  });

  it('has a strong ETag, and is a 304 while it is the same', async () => {
    const id = await own.newShare(markdown);
    const { status, headers, body } = await ask(id);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    const known = { headers: { 'if-none-match': headers['etag'] ?? '' } };
    expect(await ask(id, known)).toMatchObject({ status: 304, body: '' });
    await own.put(id, { title: 'Two' });
    const changed = await ask(id, known);
    expect([changed.status, changed.body === body]).toEqual([200, false]);
  });

  it('takes 2 read units in one trip, and writes and counts nothing', async () => {
    const id = await own.newShare(markdown);
    await ask(id);
    const { result, ...used } = await meter.measure(() => ask(id));
    expect(result.status).toBe(200);
    expect(used).toMatchObject({
      readUnits: 2,
      writeUnits: 0,
      requests: { bucket: 0, queue: 0 },
      trips: 1,
    });
    await runJobs();
    expect((await own.look(id)).body.views).toBe(0);
  });

  it('is there for those by session whom a share is for, and leaves no receipt', async () => {
    const id = await own.newShare({ ...markdown, audience: 'people', readers: [bob.id] });
    for (const { token } of [ann, bob]) {
      const page = await pageOf(id, { token, ...byScript });
      expect(marksOf(page)).toEqual([`/s/${id}/live`, await stateOf(id, { token })]);
    }
    await runJobs();
    expect((await own.receipts(id)).body).toMatchObject({ readers: [{ id: bob.id, times: 0 }] });
    expect((await ask(id)).status).toBe(401);
    expect((await ask(id, { token: eve.token })).status).toBe(404);
    expect((await ask(id, { token: root.token })).status).toBe(404);
  });

  it.each<[string, object, Record<string, string>]>([
    ['a view limit', { viewLimit: 5 }, {}],
    ['a password', { password: 'Abc123' }, { password: 'Abc123' }],
  ])(
    'is not there with %s, for its owner neither, and its page doesn’t ask',
    async (_, fields, given) => {
      const id = await own.newShare({ ...markdown, ...fields });
      for (const options of [{}, { token: ann.token }]) {
        expect(await ask(id, options)).toMatchObject({ status: 401 });
      }
      const view = tokenIn(await open(id, given)) ?? '';
      const opened = await pageOf(id, { query: { view } });
      expect(String(opened.body)).toContain('Guide');
      for (const page of [opened, await pageOf(id, { token: ann.token })]) {
        expect(String(page.body)).not.toContain('data-live');
      }
    },
  );

  it('is not there by a recipient link, whose page doesn’t ask', async () => {
    const id = await own.newShare(markdown);
    const link = String((await linksOf(ann).addLink(id)).body.id);
    expect(await ask(link)).toMatchObject({ status: 404 });
    const view = tokenIn(await open(link)) ?? '';
    const { body } = await pageOf(link, { query: { view } });
    expect(String(body)).toContain('Guide');
    expect(String(body)).not.toContain('data-live');
  });

  it('is gone with its share', async () => {
    const ended = await own.newShare(markdown);
    await own.end(ended);
    expect((await ask(ended)).status).toBe(410);
    const taken = await own.newShare(markdown);
    await sharesOf(root).decide(taken, 'take-down');
    expect((await ask(taken)).status).toBe(410);
    const deleted = await own.newShare(markdown);
    await own.remove(deleted);
    expect((await ask(deleted)).status).toBe(404);
    const locked = await own.newShare(markdown);
    await own.put(locked, { password: 'Abc123' });
    expect((await ask(locked)).status).toBe(401);
  });
});

describe('a page that its script loads again', () => {
  it('counts no view', async () => {
    const id = await own.newShare(markdown);
    await pageOf(id, byScript);
    await runJobs();
    expect((await own.look(id)).body.views).toBe(0);
  });
});
