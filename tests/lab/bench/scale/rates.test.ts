import { writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measureRates, useRatedService } from '../../partitions/rates.ts';
import { measureShareRates } from '../../partitions/share-rates.ts';
import { textTable } from '../../support/text-table.ts';

useRatedService();

// Bypasses the capture of logs. Empty lines are around each table.
const print = (table: string) => writeSync(1, `\n${table}\n`);

it('prints how often a second each request can be sent until a partition refuses', async () => {
  const rows = [...(await measureRates())].map(([name, rate]) =>
    rate ? [name, String(rate.perSecond), `${rate.kind}s of ${rate.place}`] : [name, 'any', ''],
  );
  expect(rows.length).toBeGreaterThan(100);
  print(textTable(['all users together', 'a second', 'refused first'], rows));
});

it('prints how often a second one share can be viewed until its partition refuses', async () => {
  const rows = (await measureShareRates()).map(({ way, readUnits, writeUnits, perSecond }) => [
    way,
    ...[readUnits, writeUnits, perSecond].map(String),
  ]);
  print(textTable(['one share of 11 KB', 'RU', 'WU', 'a second'], rows));
});
