import { describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

describe('The page of a share for its owner', () => {
  const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });
  const share = (body: object = {}) =>
    sharesOf(ann).newShare({ content: '<p>Secret</p>', title: 'Offer', ...body });
  const open = (id: string, token: string | undefined, headers = {}, query = {}) =>
    call('GET /s/{id}', { params: { id }, ...(token && { token }), headers, query });
  const viewsOf = async (id: string) => {
    const { body } = await call('GET /api/share', {
      token: ann.token,
      query: { id, mine: 'true' },
    });
    return body.views;
  };

  it('needs no password, uses no view and ends nothing, however often', async () => {
    const id = await share({ viewLimit: 2, password: 'Abc123', notify: true });
    for (let times = 0; times < 3; times++) {
      const { status, body } = await open(id, ann.token);
      expect(status).toBe(200);
      expect(body).toContain('This is yours');
      expect(body).toContain(
        'Your visits aren’t counted · 0 views · anyone with the link and the password',
      );
      expect(body).not.toContain('Someone shared');
    }
    expect(await viewsOf(id)).toBe(0);
    expect((await open(id, bob.token)).body).toContain('Enter the password');
    expect((await open(id, undefined)).body).not.toContain('This is yours');
  });

  it('loads its frame, source and download without a view', async () => {
    const id = await share({ viewLimit: 2 });
    const { body } = await open(id, ann.token);
    const [, view = ''] = /snippets\.test\/[\w-]+\?view=([^"&]+)/.exec(body) ?? [];
    // An address that the owner passes on gives nothing away.
    expect(body).toContain(`href="/s/${id}/raw"`);
    const frame = await call('GET /{id}', { params: { id }, query: { view } });
    expect(frame.body).toContain('<p>Secret</p>');
    const raw = await call('GET /s/{id}/raw', { params: { id }, query: { view } });
    expect(raw.body).toBe('<p>Secret</p>');
    const own = await call('GET /s/{id}/raw', { params: { id }, token: ann.token });
    expect([own.status, own.body, own.headers['cache-control']]).toEqual([
      200,
      '<p>Secret</p>',
      'no-store',
    ]);
    expect((await call('GET /s/{id}/raw', { params: { id }, token: bob.token })).status).toBe(401);
    expect(await viewsOf(id)).toBe(0);
  });

  it('is reached by its form, too, without a view', async () => {
    const id = await share({ viewLimit: 1, password: 'Abc123' });
    const sent = await call('POST /s/{id}/open', {
      params: { id },
      token: ann.token,
      ...form({ claim: 'a'.repeat(12) }),
    });
    expect([sent.status, sent.headers['location']]).toEqual([303, `/s/${id}`]);
    expect(await viewsOf(id)).toBe(0);
  });

  it('is asked for by the script where the browser came from another site', async () => {
    const arrival = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    const limited = await open(await share({ viewLimit: 1 }), undefined, arrival);
    expect(limited.body).toMatch(/<script type="module" src="\/assets\/scripts\/arrival-resume\./);
    const id = await share();
    expect((await open(id, undefined, arrival)).body).toContain(`data-counts="/s/${id}/view"`);
    expect((await open(id, undefined)).body).not.toContain('data-counts');
    const asked = await call('POST /s/{id}/view', { params: { id }, token: ann.token, body: {} });
    expect(asked.body).toEqual({ isOwner: true });
  });

  it('counts no activity, but that of readers', async () => {
    const id = await share();
    await open(id, ann.token, { 'sec-fetch-dest': 'document' });
    await call('POST /s/{id}/view', { params: { id }, token: ann.token, body: {} });
    await call('GET /s/{id}/raw', { params: { id }, token: ann.token });
    await settleJobs();
    expect(await viewsOf(id)).toBe(0);
    await open(id, bob.token, { 'sec-fetch-dest': 'document' });
    await settleJobs();
    expect(await viewsOf(id)).toBe(1);
  });

  it('counts views of the API as ever', async () => {
    const id = await share({ viewLimit: 2 });
    await call('GET /api/share', { token: ann.token, query: { id } });
    expect(await viewsOf(id)).toBe(1);
  });
});
