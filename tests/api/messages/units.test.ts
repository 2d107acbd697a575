import { describe, expect, it } from 'vitest';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import {
  list,
  listConversations,
  look,
  newReader,
  newReaders,
  newWriter,
  read,
  remove,
  send,
  sent,
  sentQueued,
  unreadCount,
} from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useJobs();

const meter = useMeter();

/** Measures the capacity units and requests of the table. */
const costOf = async (work: () => Promise<unknown>) => {
  const { readUnits, writeUnits, tableTrips } = await meter.measure(work);
  return { readUnits, writeUnits, trips: tableTrips };
};

const costOfSending = async (ann: Person, recipients: readonly Person[]) => {
  return costOf(async () => {
    const response: Answer = await send(ann, { recipients: recipients.map(({ id }) => id) });
    expect(response.status).toBe(201);
  });
};

describe('cost of messages', () => {
  it('grows by five items and one limit for each of a few recipients, by one item for many', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter(), await newWriter()];
    const readers = await newReaders(50);
    const one = await costOfSending(ann, readers.slice(0, 1));
    const ten = await costOfSending(cid, readers.slice(1, 11));
    const fifty = await costOfSending(bob, readers);
    // An item costs two units in a transaction, and a limit one.
    expect([one, ten, fifty]).toEqual([
      { readUnits: 4, writeUnits: 30, trips: 5 },
      { readUnits: 22, writeUnits: 129, trips: 5 },
      { readUnits: 52, writeUnits: 173, trips: 5 },
    ]);
  });

  it('is the same for each delivered message', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    await sentQueued(ann, [bob]);
    const first = await costOf(() => openMailbox(bob.id));
    await sentQueued(ann, [bob]);
    const second = await costOf(() => openMailbox(bob.id));
    const third = await costOf(() => openMailbox(bob.id));
    expect([first, second, third]).toEqual([
      { readUnits: 6, writeUnits: 12, trips: 5 },
      { readUnits: 6, writeUnits: 12, trips: 5 },
      { readUnits: 1, writeUnits: 0, trips: 1 },
    ]);
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
    // A unit for the counters and the empty list of deliveries; the last one reads the names of the recipients.
    expect(few).toEqual({
      // Unread messages are read before read ones, and each list is asked for what is beyond its end.
      inbox: { readUnits: 26, writeUnits: 0, trips: 5 },
      unread: { readUnits: 25, writeUnits: 0, trips: 4 },
      all: { readUnits: 27, writeUnits: 0, trips: 5 },
      count: { readUnits: 3, writeUnits: 0, trips: 1 },
      conversations: { readUnits: 35, writeUnits: 0, trips: 4 },
      one: { readUnits: 10, writeUnits: 0, trips: 4 },
      mark: { readUnits: 11, writeUnits: 8, trips: 5 },
      deletion: { readUnits: 9, writeUnits: 10, trips: 5 },
    });
  });
});
