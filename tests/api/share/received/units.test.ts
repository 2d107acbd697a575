// What the list of shares for a reader costs.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../../functions/api/share/record/keys.ts';
import { putItems } from '../../../support/notifications/notification-history.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { receivedOf } from '../../../support/shares/received.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useMeter } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { ann, bob } = usePeople({ ann: newPerson, bob: newPerson });
const meter = useMeter();
const his = receivedOf(bob);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Stores entries of former shares, older than all others, in the list of a user and in that of all members. */
const addEntries = async (count: number, ids: readonly [named: string, forAll: string]) => {
  const [named, forAll] = ids;
  const items = Array.from({ length: count }, (_, at) => {
    const sharedAt = new Date(Date.UTC(2025, 0, 1) + at * 60_000).toISOString();
    return [
      {
        ...shareKeys.received.at({ userId: bob.id, sharedAt, id: named }),
        id: named,
        ownerId: ann.id,
      },
      { ...shareKeys.members.at({ sharedAt, id: `${forAll}${at}` }), id: forAll, ownerId: ann.id },
    ];
  });
  await putItems(items.flat());
};

describe('the cost of the list of shares for a reader', () => {
  it('is the same with 10 entries and with 1,000', async () => {
    vi.stubEnv('REGISTRATION', 'invite');
    const ids: string[] = [];
    pass(1_000);
    for (let at = 0; at < 12; at++) {
      const audience = at % 2 ? { audience: 'members' } : { readers: [bob.id] };
      ids.push(await sharesOf(ann).newShare(audience));
    }
    await settleJobs();
    const few = await meter.measure(() => his.received());
    expect(few.result.body).toMatchObject({ new: 12, nextCursor: expect.any(String) });
    await addEntries(1_000, [ids[0] ?? '', ids[1] ?? '']);
    const many = await meter.measure(() => his.received());
    expect(many.result.body.items).toEqual(few.result.body.items);
    expect(many).toMatchObject({ tableTrips: 2, writeUnits: 0 });
    // A little more of each list is read than fits a page, so a list that has more costs a little more, once.
    expect(many.readUnits).toBeLessThanOrEqual(few.readUnits + 2);
    expect(many.readUnits).toBeLessThanOrEqual(50);
    const { nextCursor: cursor } = many.result.body;
    expect((await meter.measure(() => his.received({ cursor }))).readUnits).toBeLessThanOrEqual(
      many.readUnits,
    );
  });
});
