import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { runMinute, useJobs } from '../../../support/service/jobs.ts';
import { endAsReader, sharesOf } from '../../../support/shares/requests.ts';
import { page, view } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

const noon = '2026-11-21T12:00:00Z';
const minute = 60_000;

useVirtualTime(noon);
useTable();
useJobs();

beforeEach(() => void vi.setSystemTime(noon));
const { owner } = useNewPeople({ owner: 'user' });
const { newShare, put, end, reopen, look, remove } = sharesOf(owner);

/** What ends a share besides its owner. */
const ends: Readonly<Record<string, readonly [object, (id: string) => Promise<unknown>]>> = {
  'its last view': [{ viewLimit: 1 }, (id) => view(id)],
  'a reader': [{ readersCanEnd: true }, (id) => endAsReader(id)],
  'a moderator': [{}, async (id) => sharesOf(await newUserOf('super_admin')).end(id)],
  'its expiration': [
    { expiresIn: 30 },
    async (id) => {
      await end(id);
      pass(31_000);
    },
  ],
  'a moderator who took it down': [
    {},
    async (id) => {
      await end(id);
      await sharesOf(await newUserOf('super_admin')).decide(id, 'take-down');
    },
  ],
};

describe('POST /api/share/{id}/reopen', () => {
  it('gives back what the owner ended, with its views and limits, and keeps it', async () => {
    const id = await newShare({ viewLimit: 5, title: 'Offer' });
    await view(id);
    const { body: before } = await look(id);
    pass(minute);
    await end(id);
    pass(minute - 1_000);
    expect((await view(id)).status).toBe(410);
    const { message, content: _, ...shown } = { ...(await reopen(id)).body, content: '' };
    const { content: __, ...expected } = before;
    expect([message, shown]).toEqual(['Share reopened', { ...expected, version: 3 }]);
    expect([(await page(id)).status, (await view(id)).body.viewsLeft]).toEqual([200, 3]);
    pass(3 * minute);
    await runMinute();
    expect((await view(id)).status).toBe(200);
    const [, , reopened] = await entriesAbout(`share:${id}`);
    expect(reopened).toMatchObject({
      action: 'share.reopen',
      subjectName: 'Offer',
      before: { endedAt: '2026-11-21T12:01:00.000Z' },
    });
  });

  it('refuses a minute later, while the content is still there', async () => {
    const id = await newShare();
    await end(id);
    pass(minute);
    expect((await reopen(id)).status).toBe(410);
    expect((await look(id)).status).toBe(200);
  });

  it.each(Object.entries(ends))('refuses what was ended by %s', async (_, [fields, endIt]) => {
    const id = await newShare(fields);
    await endIt(id);
    expect((await reopen(id)).status).toBe(410);
    expect((await view(id)).status).toBe(410);
  });

  it('is the owner’s alone', async () => {
    const id = await newShare();
    await end(id);
    expect((await sharesOf(await newUserOf('super_admin')).reopen(id)).status).toBe(404);
    expect((await reopen('nothing')).status).toBe(404);
  });

  it('reopens once for concurrent and repeated requests, and leaves an open share as it is', async () => {
    const id = await newShare();
    await end(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => reopen(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await reopen(id)).body.version).toBe(3);
  });

  it('is done before or after a concurrent deletion', async () => {
    const id = await newShare();
    await end(id);
    const [reopened, removed] = await Promise.all([reopen(id), remove(id)]);
    expect(removed.status).toBe(200);
    expect([200, 404]).toContain(reopened.status);
    expect((await view(id)).status).toBe(404);
  });

  it('can be ended and changed again', async () => {
    const id = await newShare();
    await end(id);
    await reopen(id);
    expect((await put(id, { title: 'More' })).status).toBe(200);
    expect((await end(id)).body).toMatchObject({ status: 'ended', endedBy: 'owner' });
  });
});
