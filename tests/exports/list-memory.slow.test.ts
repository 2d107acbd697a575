import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { saleKeys } from '../../functions/api/sales/keys.ts';
import { newSeller } from '../support/sales/sales.ts';
import { putItems } from '../support/table/batch-writes.ts';
import { useTable } from '../support/table/table.ts';
import type { Person } from '../support/users/test-users.ts';

useTable();

const count = 100_000;
/** In KB. */
const megabyte = 1_024;

const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

const addressOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

let seller: Person;

beforeAll(async () => {
  seller = await newSeller();
  await putItems(
    Array.from({ length: count }, (_, n) => {
      const [id, soldAt] = [n + 1, day(n)];
      const sale = { amount: n, cost: 0, currency: 'EUR', customer: `Customer ${n}`, soldAt };
      const written = { createdAt: soldAt, updatedAt: soldAt, version: 1 };
      return { ...saleKeys.all.at({ soldAt, id }), ...sale, ...written, id };
    }),
  );
});

/** Makes the file in a process of its own, whose memory is not that of the table. */
const script = (token: string, format: string) => `
  const { authenticate } = await import(${addressOf('../../shared/auth/actor.ts')});
  const { makers } = await import(${addressOf('../../functions/exports/makers.ts')});
  const { peakMemory } = await import(${addressOf('../support/run/peak-memory.ts')});
  const headers = { authorization: 'Bearer ${token}' };
  const actor = await authenticate({ method: 'GET', headers, cookies: [], hasBody: false });
  const maker = makers.find(({ kind }) => kind === 'sales');
  let rows = 0;
  const notes = { count: (more) => { rows += more; }, leftOut: (text) => { throw new Error(text); } };
  const order = { id: 1, kind: 'sales', format: '${format}', query: 'format=${format}', requestedAt: '' };
  let [bytes, largest] = [0, 0];
  const before = peakMemory();
  for await (const piece of maker.make(actor, order, notes)) {
    bytes += piece.length;
    largest = Math.max(largest, piece.length);
  }
  process.stdout.write(JSON.stringify({ rows, bytes, largest, grown: peakMemory() - before }));
`;

describe('the file of 100,000 sales', () => {
  it.each(['csv', 'ndjson'])('takes no more memory for more rows, as %s', async (format) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      script(seller.token, format),
    ]);
    const made = JSON.parse(stdout);
    expect(made.rows).toBe(count);
    expect(made.largest).toBeLessThan(256 * 1_024);
    // What the process had before are the sources, which a bundle has not.
    expect(made.grown).toBeLessThan(128 * megabyte);
  });
});
