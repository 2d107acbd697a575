import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { listDailyVisits } from '../../../shared/activity/days.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { type LimitedTable, limitPartitions } from './proxy.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();

let table: LimitedTable;
beforeAll(async () => {
  table = await limitPartitions(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.endpoint;
  table.limit({ write: 1_000, read: 3_000 });
});
afterAll(() => table.close());

/** ACTIVITY_SECONDS=600 takes ten minutes of views. Each second costs as much as the one before, so a few stand for them. */
const seconds = Number(process.env['ACTIVITY_SECONDS'] ?? 5);
const viewsPerSecond = 2_000;
/** As in the stack. */
const [batchSize, consumers] = [300, 2];
/** Time of a batch on AWS: 130 ms of CPU at 512 MB, a read, five writes of a share and a transaction of 100 items. */
const batchMs = 350;

describe('2,000 views per second of one share, each by another visitor', () => {
  it(
    'are counted exactly, within a fifth of their time after their end',
    async () => {
      const access = { views: 0, links: {}, recentViewIds: Array<string>(40).fill('-') };
      const Item = { ...shareKeys.access.at({ id: 'popular' }), ...access };
      await documentClient().send(new PutCommand({ TableName: tableName(), Item }));
      const queued: Told[] = [];
      let sent = 0;
      let second = 0;
      for (; second < seconds || queued.length > 0; second++) {
        for (let n = 0; second < seconds && n < viewsPerSecond; n++) {
          sent++;
          const at = new Date().toISOString();
          const counts = ['pageViews', 'views'] as const;
          const data = { at, visitor: `visitor-${sent}`, counts: [...counts], share: 'popular' };
          queued.push({ id: `view-${sent}`, data });
        }
        const batches =
          Math.floor(((second + 1) * 1_000) / batchMs) - Math.floor((second * 1_000) / batchMs);
        for (let batch = 0; batch < batches && queued.length > 0; batch++) {
          const concurrent = Array.from({ length: consumers }, () => queued.splice(0, batchSize));
          const failed = await Promise.all(concurrent.map(deliver));
          expect(failed.flat()).toEqual([]);
        }
        pass(1_000);
      }
      expect(second).toBeLessThanOrEqual(1.2 * seconds);
      expect(table.refused).toEqual({ read: 0, write: 0 });
      expect(await listDailyVisits(1)).toMatchObject([
        { pageViews: sent, views: sent, visits: sent, uniqueVisitors: sent },
      ]);
      expect((await itemsOf('SHARE#popular'))[0]?.['views']).toBe(sent);
    },
    60_000 * seconds,
  );
});
