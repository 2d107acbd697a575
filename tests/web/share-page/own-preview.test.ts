import { describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });
const share = (body: object = {}) =>
  sharesOf(ann).newShare({ content: '# Offer\n\nSecret', language: 'markdown', ...body });
const show = async (id: string, token: string | undefined, query = {}, headers = {}) =>
  String((await call('GET /s/{id}', { params: { id }, token, query, headers })).body);
const preview = (id: string, token?: string, headers = {}) =>
  show(id, token, { preview: '' }, headers);
const viewsOf = async (id: string) => (await sharesOf(ann).look(id)).body.views;
const note = 'This is what readers see; no view is counted.';

describe('the preview of a share', () => {
  it.each([
    ['open', {}],
    ['limited', { viewLimit: 1, password: 'Abc123' }],
  ])(
    'shows its owner an %s share as readers see it, counts nothing and leads back',
    async (_, rules) => {
      const id = await share({ ...rules, embedOrigins: ['*'], readersCanEnd: true });
      const page = await preview(id, ann.token, { 'sec-fetch-dest': 'document' });
      expect(page).toContain(`${note}<a href="/s/${id}">Close preview</a>`);
      expect(page).toContain('<p>Secret</p>');
      for (const own of ['This is yours', 'Copy embed code']) expect(page).not.toContain(own);
      const [, end = ''] = /href="(\/s\/[\w-]+\/end[^"]*)"/.exec(page) ?? [];
      const token = new URLSearchParams(end.split('?')[1]).get('token');
      const question = await call('GET /s/{id}/end', {
        params: { id },
        ...(token && { query: { token } }),
      });
      expect(question.status).toBe(200);
      await settleJobs();
      expect(await viewsOf(id)).toBe(0);
    },
  );

  it('is the page as ever for anyone else', async () => {
    const [open, limited] = [await share(), await share({ viewLimit: 1 })];
    for (const token of [undefined, bob.token]) {
      expect(await preview(open, token)).toBe(await show(open, token));
      expect(await preview(limited, token)).toContain('Someone shared a snippet with you');
    }
    await settleJobs();
    expect(await viewsOf(open)).toBe(4);
  });

  it('is found by the name of the share, too', async () => {
    const id = await share({ slug: `offer-${ann.id}` });
    expect(await show(id, ann.token)).toContain(`href="/s/offer-${ann.id}?preview"`);
    expect(await preview(`offer-${ann.id}`, ann.token)).toContain(note);
  });
});

describe('the owner’s page of a share with a last view', () => {
  it.each([
    ['Markdown', {}],
    ['HTML', { language: 'html', content: '<p>Secret</p>', title: 'Offer' }],
  ])('veils %s until it is previewed', async (_, fields) => {
    const id = await share({ viewLimit: 1, description: 'For Mei', ...fields });
    const page = await show(id, ann.token);
    for (const shown of [
      'Not opened yet · ends with the first opening',
      'Burns after reading',
      '>Offer</h1>',
      'For Mei',
      `href="/s/${id}?preview"`,
    ]) {
      expect(page).toContain(shown);
    }
    for (const veiled of ['Secret', '<iframe', 'view=']) expect(page).not.toContain(veiled);
    expect(page.match(/\?preview"/g)).toHaveLength(1);
  });

  it('says how often it was opened', async () => {
    const id = await share({ viewLimit: 3 });
    await view(id);
    expect(await show(id, ann.token)).toContain('1 view · anyone with the link');
    await view(id);
    const page = await show(id, ann.token);
    expect(page).toContain('Opened 2 times · ends with the next opening');
    expect(page).toContain('<h2>1 view left</h2>');
  });
});
