import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { gateOf } from '../../support/shares/account.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { byLink, frame, open, page, raw, tokenIn } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

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
    page: (token?: string) => byLink('GET /s/{id}', id, link, token),
    raw: (token?: string) => byLink('GET /s/{id}/raw', id, link, token),
    open: (fields: Readonly<Record<string, string>> = {}) => open(id, { link, ...fields }),
    views: async () => (await ann.links(id)).body.items[0].views as number,
  };
};

describe('the page of a recipient link', () => {
  it('asks first, also for a share that anyone can read, and counts no view', async () => {
    const mei = await newLink({ title: 'Hidden' });
    const { status, body, headers } = await mei.page();
    expect(status).toBe(200);
    expect(body).toContain(`<input type="hidden" name="link" value="${mei.link}">`);
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
    expect(opened.headers['location']).toBe(`/s/${mei.id}?link=${mei.link}&view=${token}`);
    expect((await mei.open({ claim: 'a-nonce' })).status).toBe(303);
    const shown = await mei.page(token);
    expect(shown.body).toContain(
      `data-copies-link="https://handbill.test/s/${mei.id}?link=${mei.link}"`,
    );
    expect(shown.body).toContain(`src="https://snippets.test/${mei.id}?view=${token}"`);
    expect(shown.body).not.toContain('og:title');
    expect((await raw(mei.id, token)).body).toBe('<p>Hi</p>');
    expect((await frame(mei.id, token)).status).toBe(200);
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
    const token = tokenIn(await open(mei.id, { link: luca, claim: 'a-nonce' }));
    const { items } = (await ann.links(mei.id)).body;
    expect(items.map(({ views }: { views: number }) => views)).toEqual([1, 1]);
    // The token of one link opens no other.
    expect((await mei.raw(token)).status).toBe(401);
  });

  it('keeps the password gate', async () => {
    const mei = await newLink({ password: 'Abc123' });
    const refused = await mei.open({ password: 'wrong1' });
    expect(refused.status).toBe(401);
    expect(refused.body).toContain(`name="link" value="${mei.link}"`);
    expect(await mei.views()).toBe(0);
    expect((await mei.page(tokenIn(await mei.open({ password: 'Abc123' })))).status).toBe(200);
    expect(await mei.views()).toBe(1);
  });

  it('asks to open the page before the source, with the link', async () => {
    const mei = await newLink();
    const { status, body } = await mei.raw();
    expect([status, body]).toEqual([401, expect.stringContaining('Open the snippet first')]);
  });

  it('ends at once when its link is revoked, also within the minute of a view', async () => {
    const mei = await newLink({ viewLimit: 3 });
    const token = tokenIn(await mei.open());
    expect((await raw(mei.id, token)).status).toBe(200);
    await ann.revokeLink(mei.id, mei.link);
    for (const answer of [mei.page(), mei.page(token), mei.raw(token), mei.open()])
      expect((await answer).status).toBe(410);
    // Without the link, the token proves nothing either.
    expect((await raw(mei.id, token)).status).toBe(401);
    expect((await page(mei.id)).status).toBe(200);
  });

  it('is not found with another id', async () => {
    const mei = await newLink();
    expect((await byLink('GET /s/{id}', mei.id, 'unknown')).status).toBe(404);
    expect((await open(mei.id, { link: 'unknown' })).status).toBe(404);
  });
});
