import { writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measureRates, useRatedService } from '../../support/partition-limits/rates.ts';
import { textTable } from '../support/text-table.ts';

useRatedService();

it('prints how often a second each request can be sent until a partition refuses', async () => {
  const rates = await measureRates();
  const rows = [...rates].map(([name, rate]) =>
    rate ? [name, String(rate.perSecond), `${rate.kind}s of ${rate.place}`] : [name, 'any', ''],
  );
  expect(rows.length).toBeGreaterThan(100);
  // Bypasses the capture of logs.
  writeSync(1, `${textTable(['all users together', 'a second', 'refused first'], rows)}\n`);
}, 240_000);
