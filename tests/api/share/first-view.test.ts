import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { open, page, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);

/** The notifications of an opened share, after all jobs. */
const opened = async (): Promise<string[]> => {
  await runJobs();
  const { body } = await call('GET /api/notifications', { token: person.token });
  return body.data.items
    .filter(({ title }: { title: string }) => title === 'Your share was opened')
    .map(({ content }: { content: string }) => content);
};

const told = '“Offer” was opened for the first time.';

describe('the first view of a share', () => {
  it('notifies the owner once, if the owner asked for it', async () => {
    const id = await ann.newShare({ title: 'Offer', notify: true });
    expect((await ann.look(id)).body.notify).toBe(true);
    expect(await opened()).toEqual([]);
    for (let count = 0; count < 4; count++) await view(id);
    expect(await opened()).toEqual([told]);
    await view(id);
    expect(await opened()).toEqual([told]);
  });

  it('notifies once however many open it at once', async () => {
    const id = await ann.newShare({ title: 'Offer', notify: true, viewLimit: 5 });
    await Promise.all(Array.from({ length: 8 }, () => view(id)));
    expect(await opened()).toEqual([told]);
  });

  it('notifies of a view on the page of an unlimited share, which a job counts', async () => {
    const id = await ann.newShare({ title: 'Offer', notify: true });
    await Promise.all([page(id), page(id), page(id)]);
    expect(await opened()).toEqual([told]);
    await page(id);
    expect(await opened()).toEqual([told]);
  });

  it('names the recipient link that it was opened with', async () => {
    const id = await ann.newShare({ title: 'Offer', notify: true });
    const { addLink } = linksOf(person);
    await addLink(id, { label: 'Luca' });
    const { body: mei } = await addLink(id, { label: 'Mei' });
    await view(mei.id);
    expect(await opened()).toEqual([
      '“Offer” was opened for the first time, with the link for “Mei”.',
    ]);
  });

  it('notifies nobody by default, nor after the owner turned it off', async () => {
    const [quiet, changed] = [await ann.newShare(), await ann.newShare({ notify: true })];
    expect((await ann.put(changed, { notify: false })).body.notify).toBe(false);
    for (const id of [quiet, changed]) {
      await view(id);
      await page(id);
      await open(id);
    }
    expect(await opened()).toEqual([]);
  });

  it('is not what readers learn about', async () => {
    const id = await ann.newShare({ notify: true });
    expect((await view(id)).body.notify).toBe(false);
  });
});
