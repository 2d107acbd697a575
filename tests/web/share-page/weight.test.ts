import { describe, expect, it } from 'vitest';
import { measurePage } from '../../support/pages/compressed-size.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const maxBytes = 25 * 1024;
const { ann } = useNewPeople({ ann: newPerson });

const shown = {
  HTML: { language: 'html', content: '<p>Hi</p>' },
  Markdown: { language: 'markdown', content: '# Hi\n\n## Then\n\n`code`' },
};
const settings = {
  title: 'Offer',
  description: 'An offer. '.repeat(15),
  readersCanEnd: true,
  embedOrigins: ['*'],
};

describe.each(Object.entries(shown))('the weight of a page with %s', (_, fields) => {
  const share = (more: object = {}) => sharesOf(ann).newShare({ ...settings, ...fields, ...more });

  it.each(['GET /s/{id}', 'GET /s/{id}/embed'])('is below 25 KB: %s', async (endpoint) => {
    const path = endpoint.replace('GET ', '');
    const { total, assets } = await measurePage(path, { params: { id: await share() } });
    expect(assets).not.toEqual([]);
    expect(total).toBeLessThan(maxBytes);
  });

  it('is below 25 KB for its owner', async () => {
    const user = { params: { id: await share() }, token: ann.token };
    const { total, page } = await measurePage('/s/{id}', user);
    expect(page).toContain('This is yours');
    expect(total).toBeLessThan(maxBytes);
  });

  it('is below 25 KB with its revisions', async () => {
    const id = await share();
    await sharesOf(ann).put(id, { content: 'Other' });
    const user = { params: { id }, query: { version: '1' }, token: ann.token };
    const { total, page } = await measurePage('/s/{id}/revisions', user);
    expect(page).toContain('<ins>+Other');
    expect(total).toBeLessThan(maxBytes);
  });

  it('is below 25 KB for the form that opens it', async () => {
    const id = await share({ viewLimit: 2 });
    const { total, page } = await measurePage('/s/{id}', { params: { id } });
    expect(page).toContain('Opening it uses 1 of 2');
    expect(total).toBeLessThan(maxBytes);
  });
});
