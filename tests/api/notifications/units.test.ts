import { describe, expect, it } from 'vitest';
import { batchGet } from '../../../shared/db/dynamodb.ts';

import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { newTold, putItems, today } from '../../support/notifications/notification-history.ts';
import {
  list,
  listed,
  markAllRead,
  markRead,
  remove,
  tell,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import type { Answer } from '../../support/service/call.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();

const meter = useMeter();

const measure = async (ask: () => Promise<Answer>) => {
  const { result, requests, trips, readUnits, writeUnits, writes } = await meter.measure(ask);
  return { status: result.status, requests: requests.table, trips, readUnits, writeUnits, writes };
};

describe('cost of notifications', () => {
  it('is the same with 10 and 10,000 notifications, and one write for read-all', async () => {
    const costs = [];
    for (const count of [10, 10_000]) {
      const her = await newTold(count);
      expect(await unreadCount(her)).toBe(count);
      const id = (await listed(her)).items[4]?.['id'] as number;
      costs.push({
        page: await measure(() => list(her, { pageSize: '5' })),
        unread: await measure(() => list(her, { pageSize: '5', unread: 'true' })),
        one: await measure(() => markRead(her, id)),
        deletion: await measure(() => remove(her, id)),
        all: await measure(() => markAllRead(her)),
      });
      expect(await unreadCount(her)).toBe(0);
      expect((await listed(her, { unread: 'true' })).total).toBe(0);
      const { items, total } = await listed(her);
      expect(total).toBe(count - 1);
      expect(items.every(({ read }) => read)).toBe(true);
    }
    const [few, many] = costs;
    expect(many).toEqual(few);
    // Includes the reads of the caller and of pending deliveries.
    expect(few?.all).toMatchObject({ requests: 3, writeUnits: 1, writes: { UPDATES: 1 } });
    expect([few?.page.trips, few?.unread.trips]).toEqual([2, 2]);
  });

  it('grows little for users with notifications on every day', async () => {
    const her = await newPerson();
    await tell(her);
    const told = await meter.measure(() => tell(her));
    // The transaction doubles the units of receipt, notification and counters.
    expect([told.writeUnits, told.trips]).toEqual([6, 2]);
    const days = Array.from({ length: 91 }, (_, at) => [String(today() - at), 1_000]);
    const [box] = await batchGet([notificationKeys.counters.at({ userId: her.id })]);
    const counts = { kept: Object.fromEntries(days), unread: Object.fromEntries(days) };
    await putItems([{ ...box, bell: { ...(box?.['bell'] as object), ...counts } }]);
    expect(await unreadCount(her)).toBe(91_000);
    const toldMore = await meter.measure(() => tell(her));
    expect([toldMore.writeUnits, toldMore.trips]).toEqual([8, 2]);
  });

  it('is limited for few unread notifications after thousands of read ones', async () => {
    const her = await newTold(5_000, { readOnes: 4_997 });
    const { result, requests } = await meter.measure(() => list(her, { unread: 'true' }));
    expect(result.body.data).toMatchObject({ total: 3, nextCursor: null });
    expect(result.body.data.items).toHaveLength(3);
    expect(requests.table).toBeLessThan(12);
  });
});
