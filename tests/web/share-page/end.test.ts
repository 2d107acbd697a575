import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { endAsReader, linksOf, sharesOf } from '../../support/shares/requests.ts';
import { open, page, tokenIn, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);
const links = linksOf(person);

const question = (id: string, token?: string) =>
  call('GET /s/{id}/end', { params: { id }, ...(token !== undefined && { query: { token } }) });

/** The token in the menu of the page of an opened share. */
const endTokenOf = async (id: string, password?: string): Promise<string> => {
  const view = tokenIn(await open(id, password === undefined ? {} : { password }));
  return /\/end\?token=([\w.-]+)/.exec(String((await page(id, view)).body))?.[1] ?? '';
};

describe('a reader who ends a share', () => {
  it('is asked, and it ends at once', async () => {
    const id = await ann.newShare({ title: 'Offer', readersCanEnd: true });
    expect((await page(id)).body).toContain(`href="/s/${id}/end"`);
    expect((await question(id)).body).toContain('End this snippet?');
    expect((await view(id)).status).toBe(200);
    const { status, headers } = await endAsReader(id);
    expect([status, headers['location']]).toEqual([303, `/s/${id}`]);
    expect([(await page(id)).status, (await view(id)).status]).toEqual([410, 410]);
    expect([(await question(id)).status, (await endAsReader(id)).status]).toEqual([410, 410]);
    expect((await ann.list()).body.items[0]).toMatchObject({ status: 'ended', endedBy: 'reader' });
  });

  it('is told to the owner and in the audit log', async () => {
    const id = await ann.newShare({ title: 'Offer', readersCanEnd: true });
    pass(1_000);
    await endAsReader(id);
    await runMinute();
    await runJobs();
    const { body } = await call('GET /api/notifications', { token: person.token });
    expect(body.data.items[0]).toMatchObject({
      title: 'A reader ended your share',
      content: 'A reader of “Offer” ended it. Its link no longer works.',
    });
    const [, ended] = await entriesAbout(`share:${id}`);
    expect(ended).toMatchObject({ action: 'share.end', after: { endedBy: 'reader' } });
  });

  it('can only if the owner allows it', async () => {
    const id = await ann.newShare();
    expect((await page(id)).body).not.toContain('/end');
    expect([(await question(id)).status, (await endAsReader(id)).status]).toEqual([404, 404]);
    await ann.put(id, { readersCanEnd: true });
    expect((await question(id)).status).toBe(200);
    await ann.put(id, { readersCanEnd: false });
    expect((await endAsReader(id)).status).toBe(404);
    expect((await view(id)).status).toBe(200);
  });

  it.each([
    ['a password', { password: 'Abc123' }, 'Abc123'],
    ['a limit', { viewLimit: 3 }, undefined],
  ])('must have opened a share with %s, within a day', async (_, rules, password) => {
    const id = await ann.newShare({ ...rules, readersCanEnd: true });
    const other = await ann.newShare({ ...rules, readersCanEnd: true });
    const stranger = await endTokenOf(other, password);
    for (const token of [undefined, 'forged', stranger]) {
      expect([(await question(id, token)).status, (await endAsReader(id, token)).status]).toEqual([
        404, 404,
      ]);
    }
    const token = await endTokenOf(id, password);
    pass(86_000_000);
    expect((await question(id, token)).status).toBe(200);
    expect((await endAsReader(id, token)).status).toBe(303);
    pass(1_000_000);
    expect((await endAsReader(other, stranger)).status).toBe(404);
  });

  it('can’t after the password changed', async () => {
    const id = await ann.newShare({ password: 'Abc123', readersCanEnd: true });
    const token = await endTokenOf(id, 'Abc123');
    await ann.put(id, { password: 'Def456' });
    expect((await endAsReader(id, token)).status).toBe(404);
  });

  describe('with a recipient link', () => {
    /** Opens a share by a link, and returns the token on its page. */
    const opened = async (rule: object, ofLink: object = {}) => {
      const id = await ann.newShare({ ...rule, readersCanEnd: true });
      const link = (await links.addLink(id, { label: 'Mei', ...ofLink })).body.id as string;
      const shown = await page(link, tokenIn(await open(link, { ...rule })));
      const token = /\/end\?token=([\w.-]+)/.exec(String(shown.body))?.[1] ?? '';
      return { id, link, token };
    };
    const statuses = async (link: string, token?: string) => [
      (await question(link, token)).status,
      (await endAsReader(link, token)).status,
    ];

    it('must have opened it by that link', async () => {
      const mei = await opened({});
      const luca = (await links.addLink(mei.id, { label: 'Luca' })).body.id as string;
      expect(await statuses(mei.link)).toEqual([404, 404]);
      expect(await statuses(luca, mei.token)).toEqual([404, 404]);
      const { headers } = await endAsReader(mei.link, mei.token);
      expect(headers['location']).toBe(`/s/${mei.link}`);
      expect((await view(mei.id)).status).toBe(410);
    });

    it('can’t by the plain address', async () => {
      const mei = await opened({ password: 'Abc123' });
      expect(await statuses(mei.id, mei.token)).toEqual([404, 404]);
    });

    it('can’t after it was revoked', async () => {
      const mei = await opened({ password: 'Abc123' });
      await links.revokeLink(mei.id, mei.link);
      expect(await statuses(mei.link, mei.token)).toEqual([410, 410]);
      expect((await view(mei.id, 'Abc123')).status).toBe(200);
    });

    it('can’t after it expired', async () => {
      const mei = await opened({}, { expiresIn: 60 });
      pass(61_000);
      expect(await statuses(mei.link, mei.token)).toEqual([410, 410]);
    });

    it.each([
      ['a password', { password: 'Abc123' }],
      ['no rule', {}],
    ])('can after its last view, with %s', async (_, rule) => {
      const mei = await opened(rule, { viewLimit: 1 });
      expect((await page(mei.link)).status).toBe(410);
      expect(await statuses(mei.link, mei.token)).toEqual([200, 303]);
    });
  });
});
