import { describe, expect, it } from 'vitest';
import { creationLimits } from '../../../functions/api/share/requests/limits.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { readPages } from '../../support/service/pages.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);

/** Creates shares of these titles, each some time after the one before. */
const make = async (titles: readonly string[], fields: object = {}) => {
  const ids: string[] = [];
  for (const title of titles) {
    pass(60_000);
    ids.push(await ann.newShare({ title, ...fields }));
  }
  return ids;
};

type Query = Readonly<Record<string, string>>;
const titles = async (query: Query) =>
  (await ann.listBy(query)).body.items.map(({ title }: { title: string }) => title);

/** Follows the cursors to the end. Returns each page's titles. */
const readAll = async (query: Query): Promise<string[][]> =>
  (await readPages((at) => ann.listBy({ ...query, ...at }))).map(({ items }) =>
    items.map(({ title }: { title: string }) => title),
  );

describe('your shares by status', () => {
  it('are those that can be read, have ended or were taken down, also after their content is gone', async () => {
    await make(['open', 'limited'], { viewLimit: 2 });
    const [once] = await make(['once'], { viewLimit: 1 });
    const [closed] = await make(['closed']);
    const [bad] = await make(['bad']);
    await make(['short'], { expiresIn: 30 });
    await view(once ?? '');
    await ann.end(closed ?? '');
    await sharesOf(await newUserOf('super_admin')).decide(bad ?? '', 'take-down');
    pass(60_000);
    const check = async () => {
      expect(await titles({ status: 'active' })).toEqual(['limited', 'open']);
      expect(await titles({ status: 'ended' })).toEqual(['short', 'closed', 'once']);
      expect(await titles({ status: 'ended', sort: '-createdAt' })).toEqual([
        'once',
        'closed',
        'short',
      ]);
      expect(await titles({ status: 'taken-down' })).toEqual(['bad']);
    };
    await check();
    pass(130_000);
    await runMinute();
    await check();
    expect((await ann.list()).body).toMatchObject({ total: 6, totalIsExact: true });
    expect((await ann.listBy({ status: 'ended' })).body).toMatchObject({
      total: 6,
      totalIsExact: false,
    });
  });

  it('go on by cursor, in both orders, with none missed or repeated', async () => {
    const all = Array.from({ length: 9 }, (_, at) => `${at}`);
    const ids = await make(all);
    for (const at of [1, 2, 5, 7]) await ann.end(ids[at] ?? '');
    expect(await readAll({ status: 'ended', pageSize: '2' })).toEqual([
      ['7', '5'],
      ['2', '1'],
    ]);
    expect(await readAll({ status: 'active', pageSize: '3', sort: '-createdAt' })).toEqual([
      ['0', '3', '4'],
      ['6', '8'],
    ]);
  });

  it('cost no more than a page of 100, however many there are', async () => {
    for (let made = 0; made <= 120; made++) {
      if (made % creationLimits[0].tokens === 0) {
        pass(creationLimits[0].perMs);
        await signInAgain(person);
      }
      const id = await ann.newShare({ title: 'first' });
      if (made === 0) await ann.end(id);
      pass(1_000);
    }
    const meter = meterAws();
    const page = await meter.measure(() => ann.listBy({ status: 'ended' }));
    meter.stop();
    expect(page.result.body.items).toEqual([]);
    expect(page.result.body.nextCursor).not.toBe(null);
    expect(page.readUnits).toBeLessThanOrEqual(230);
    expect(await readAll({ status: 'ended' })).toEqual([[], ['first']]);
  });

  it('refuse an unknown status, page numbers and cursors of another list', async () => {
    await make(['1', '2', '3']);
    expect((await ann.listBy({ status: 'gone' })).body.error.details).toEqual([
      { field: 'status', message: 'must be active, ended or taken-down' },
    ]);
    expect((await ann.listBy({ status: 'active', page: '2' })).body.error.details).toEqual([
      { field: 'page', message: 'cannot be combined with status; use `cursor`' },
    ]);
    const { nextCursor } = (await ann.listBy({ status: 'active', pageSize: '1' })).body;
    const other = await ann.listBy({ status: 'ended', cursor: nextCursor });
    expect(other.status).toBe(400);
    expect((await ann.listBy({ cursor: nextCursor })).status).toBe(400);
  });
});
