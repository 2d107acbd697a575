// Whether messages cost the same however many there are. `tests/contract/budget.test.ts` has what each request costs.
import { describe, expect, it } from 'vitest';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import {
  list,
  listConversations,
  look,
  newReader,
  newWriter,
  read,
  remove,
  sent,
  sentQueued,
  unreadCount,
} from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useJobs();

const meter = useMeter();

/** Measures the capacity units and requests of the table. */
const costOf = async (work: () => Promise<unknown>) => {
  const { readUnits, writeUnits, tableTrips } = await meter.measure(work);
  return { readUnits, writeUnits, trips: tableTrips };
};

describe('cost of messages', () => {
  it('is the same for each delivered message', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    await sentQueued(ann, [bob]);
    const first = await costOf(() => openMailbox(bob.id));
    await sentQueued(ann, [bob]);
    const second = await costOf(() => openMailbox(bob.id));
    const third = await costOf(() => openMailbox(bob.id));
    expect(second).toEqual(first);
    expect(third).toEqual({ readUnits: 1, writeUnits: 0, trips: 1 });
  });

  it('is the same with 12 and with 100 messages', async () => {
    const costs = [];
    for (const count of [12, 100]) {
      const [bob, ...senders] = await Promise.all(Array.from({ length: 13 }, () => newWriter()));
      if (!bob) throw new Error('Thirteen were made');
      for (let at = 0; at < count; at++) {
        pass(1);
        await sent(senders[at % 12] ?? bob, [bob]);
        if (at % 20 === 19) await openMailbox(bob.id);
      }
      await openMailbox(bob.id);
      const id = (await list(bob)).body.data.items[3].id;
      costs.push({
        inbox: await costOf(() => list(bob)),
        unread: await costOf(() => list(bob, { unread: 'true' })),
        all: await costOf(() => list(bob, { box: 'all' })),
        count: await costOf(() => unreadCount(bob)),
        conversations: await costOf(() => listConversations(bob)),
        one: await costOf(() => look(bob, id)),
        mark: await costOf(() => read(bob, id)),
        deletion: await costOf(() => remove(bob, id)),
      });
    }
    const [few, many] = costs;
    expect(many).toEqual(few);
  });
});
