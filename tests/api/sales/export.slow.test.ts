import { beforeAll, describe, expect, it } from 'vitest';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import { newSeller, recorded } from '../../support/sales/sales.ts';
import { call, limitTime } from '../../support/service/call.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
// On a slow machine, parts are shorter, as they would be in a function.
limitTime();

const count = 100_000;
const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

let seller: Person;

beforeAll(async () => {
  seller = await newSeller();
  const toItem = (n: number) => {
    const [id, soldAt] = [n + 1, day(n)];
    const sale = { amount: n, cost: 0, currency: 'EUR', customer: `Customer ${n}`, soldAt };
    const written = { createdAt: soldAt, updatedAt: soldAt, version: 1 };
    return { ...saleKeys.all.at({ soldAt, id }), ...sale, ...written, id };
  };
  await putItems(Array.from({ length: count }, (_, n) => toItem(n)));
});

/** Takes out all parts, as a script does, and calls `between` after each. */
const takeAll = async (format: string, between: (part: number) => Promise<unknown>) => {
  const rows: string[] = [];
  let cursor: string | undefined = '';
  for (let part = 1; cursor !== undefined; part++) {
    const query: Record<string, string> = { format, cursor };
    const { status, headers, body } = await call('GET /api/sales/export', {
      token: seller.token,
      query,
    });
    expect(status).toBe(200);
    rows.push(...String(body).trimEnd().split(/\r?\n/));
    cursor = headers['x-next-cursor'];
    await between(part);
  }
  return rows;
};

describe('100,000 sales', () => {
  it('are taken out exactly once each by a loop, while others are recorded', async () => {
    const meter = meterAws();
    const { result, readUnits, requests } = await meter.measure(() =>
      takeAll('csv', async (part) => {
        // Both sold before and after what was taken out.
        await recorded(seller, { soldAt: '2025-06-01', externalId: `old-${part}` });
        await recorded(seller, { soldAt: '2026-11-01T10:00:00Z', externalId: `new-${part}` });
      }),
    );
    meter.stop();
    const [header, ...rows] = result;
    expect(header).toMatch(/^\uFEFFamount,cost/);
    const customers = rows.map((row) => row.split(',')[3]).filter((name) => name !== '');
    expect(customers).toHaveLength(count);
    expect(new Set(customers).size).toBe(count);
    // 40 pages a part, each about 60 KB of the table, read consistently.
    expect(requests.table).toBeLessThan(800);
    expect(readUnits).toBeLessThan(8_000);
  });
});
