import { describe, expect, it } from 'vitest';

import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { dueItemsQuery, processDue } from '../../../shared/lists/process-items.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const name = (n: number) => String(n).padStart(3, '0');

/** So many things of a kind that are due, and one that is not yet; the query of those. */
const dueOf = async (kind: string, count: number) => {
  const items = Array.from({ length: count + 1 }, (_, n) => ({
    ...shareKeys.end.at({ id: `${kind}-${name(n)}` }),
    gsi1pk: kind,
    gsi1sk: `${at(n === count ? 0 : -1)}#${name(n)}`,
  }));
  await putItems(items);
  return dueItemsQuery(kind, Date.now());
};
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => name(from + n));
const nameIn = ({ gsi1sk }: Record<string, unknown>) => String(gsi1sk).split('#')[1] ?? '';

describe('processDue', () => {
  it.each([0, 1, 25, 60])('processes each of %i items once, in order', async (count) => {
    const met: string[] = [];
    await processDue(await dueOf(`all ${count}`, count), async (item) => {
      met.push(nameIn(item));
    });
    expect(met).toEqual(names(0, count));
  });

  it('continues when items are deleted', async () => {
    const query = await dueOf('removed', 60);
    const met: string[] = [];
    await processDue(query, async (item) => {
      met.push(nameIn(item));
      await transact([deleteItemWrite(item as never)]);
    });
    expect(met).toEqual(names(0, 60));
    await processDue(query, async () => expect.fail('should be gone'));
  });

  it('continues after failures and throws the first one', async () => {
    const met: string[] = [];
    const working = processDue(await dueOf('failing', 60), async (item) => {
      met.push(nameIn(item));
      if (nameIn(item) < '030') throw new Error(`${nameIn(item)} fails`);
    });
    await expect(working).rejects.toThrow('000 fails');
    expect(met).toEqual(names(0, 60));
  });

  it('stops after 20 s, even within a page', async () => {
    const query = await dueOf('slow', 60);
    let met: string[] = [];
    const slowly = async (item: Record<string, unknown>) => {
      met.push(nameIn(item));
      pass(1_000);
      await transact([deleteItemWrite(item as never)]);
    };
    for (const [from, to] of [
      [0, 20],
      [20, 40],
      [40, 60],
    ] as const) {
      met = [];
      await processDue(query, slowly);
      expect(met).toEqual(names(from, to));
    }
  });
});
