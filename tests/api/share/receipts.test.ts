import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { page, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);

/** Returns what the owner sees of the newest share. */
const receipt = async () => {
  const { views, firstViewedAt, lastViewedAt, endedBy } = (await ann.list()).body.items[0];
  return { views, firstViewedAt, lastViewedAt, endedBy };
};
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the receipt of a share', () => {
  it('says how often it was opened, when first and last, and what ended it', async () => {
    const id = await ann.newShare({ viewLimit: 2 });
    expect(await receipt()).toEqual({
      views: 0,
      firstViewedAt: null,
      lastViewedAt: null,
      endedBy: null,
    });
    const [first, last] = [later(1_000), later(3_000)];
    pass(1_000);
    await view(id);
    pass(2_000);
    await view(id);
    const expected = { views: 2, firstViewedAt: first, lastViewedAt: last, endedBy: 'views' };
    expect(await receipt()).toEqual(expected);
    expect((await view(id)).status).toBe(410);
    pass(130_000);
    await runMinute();
    expect(await receipt()).toEqual(expected);
  });

  it('knows the views of a page that anyone can read', async () => {
    const id = await ann.newShare();
    await page(id);
    await runJobs();
    expect(await receipt()).toEqual({
      views: 1,
      firstViewedAt: later(0),
      lastViewedAt: later(0),
      endedBy: null,
    });
  });

  it('names the expiration, the owner or a moderator as what ended it', async () => {
    await ann.newShare({ expiresIn: 60 });
    pass(60_000);
    expect((await receipt()).endedBy).toBe('time');
    pass(1_000);
    await ann.end(await ann.newShare({ viewLimit: 1 }));
    expect((await receipt()).endedBy).toBe('owner');
    const moderator = sharesOf(await newUserOf('super_admin'));
    pass(1_000);
    await moderator.end(await ann.newShare());
    expect((await receipt()).endedBy).toBe('moderator');
    pass(1_000);
    const id = await ann.newShare();
    await moderator.decide(id, 'take-down');
    expect((await receipt()).endedBy).toBe('moderator');
    await moderator.decide(id, 'keep');
    expect((await receipt()).endedBy).toBe(null);
  });

  it('counts no refused or unseen view', async () => {
    const id = await ann.newShare({ password: 'Abc123' });
    await view(id);
    await view(id, 'wrong1');
    await view(id, 'Abc123', 'HEAD');
    expect(await receipt()).toMatchObject({ views: 0, firstViewedAt: null, lastViewedAt: null });
  });

  it('stays for 90 days after the end, without the content', async () => {
    const id = await ann.newShare({ viewLimit: 1 });
    await view(id);
    const expected = await receipt();
    const dayMs = 86_400_000;
    for (const days of [1, 88]) {
      pass(days * dayMs);
      await runMinute();
      await signInAgain(person);
      expect(await receipt()).toEqual(expected);
      expect((await ann.look(id)).status).toBe(410);
    }
    pass(dayMs + 60_000);
    await runMinute();
    await signInAgain(person);
    expect((await ann.list()).body).toMatchObject({ items: [], total: 0 });
  });
});
