import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFileKey } from '../../../functions/api/files/uploads/objects.ts';
import { scheduledWork } from '../../../functions/jobs/sweeps/scheduled.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import {
  type AnyKeyFamily,
  indexFamily,
  type Key,
  keyFamily,
  listShards,
} from '../../../shared/db/key.ts';
import type { ListKey } from '../../../shared/db/query.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { runEach, sweepDeadline, sweepShard } from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { sweep } from '../../support/service/sweeps.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const name = (n: number) => String(n).padStart(3, '0');
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => name(from + n));

/** Stores so many due entries and one that is due in a millisecond, and returns work that lists what it met. */
const dueOf = async (title: string, count: number, work?: (item: ListKey) => Promise<unknown>) => {
  const family = indexFamily(`${title}#{id:shard of 4}` as 'A#{id:shard of 4}', '{at}#{id}');
  await putItems(
    names(0, count + 1).map((id, n) => {
      const { pk, sk } = family.at({ at: at(n === count ? 1 : -60_000 + n), id });
      return { pk: `${title} ${id}`, sk: 'DUE', id, group: n % 3, gsi1pk: pk, gsi1sk: sk };
    }),
  );
  const met: string[] = [];
  const scheduled: ScheduledWork = {
    name: title,
    due: family,
    run: (items, bound) =>
      runEach(
        items,
        async (item) => {
          met.push(String(item['id']));
          await work?.(item);
        },
        bound,
      ),
  };
  return { scheduled, met };
};

const remove = (item: ListKey) => transact([deleteItemWrite(item as never)]);

describe('sweepShard', () => {
  it.each([0, 1, 99, 430])('processes each of %i due entries once', async (count) => {
    const { scheduled, met } = await dueOf(`ALL ${count}`, count);
    await sweep(scheduled);
    expect(met.toSorted()).toEqual(names(0, count));
  });

  it('continues when entries are deleted', async () => {
    const { scheduled, met } = await dueOf('REMOVED', 430, remove);
    await sweep(scheduled);
    await sweep(scheduled);
    expect(met.toSorted()).toEqual(names(0, 430));
  });

  it('continues after failures and returns the first one', async () => {
    const { scheduled, met } = await dueOf('FAILING', 430, async ({ id }) => {
      if (String(id) < '300') throw new Error('It fails');
    });
    await expect(sweep(scheduled)).rejects.toThrow('It fails');
    expect(met.toSorted()).toEqual(names(0, 430));
  });

  it('stops after 20 s, even within a slice, and continues with the oldest', async () => {
    const { scheduled, met } = await dueOf('SLOW', 240, async (item) => {
      pass(1_000);
      await remove(item);
    });
    const [shard = ''] = listShards(scheduled.due);
    const seen = new Set<string>();
    for (let run = 0; run < 20; run++) {
      met.length = 0;
      const { isAtEnd } = await sweepShard(scheduled, shard, sweepDeadline());
      expect(met.length).toBeLessThanOrEqual(27);
      for (const id of met) seen.add(id);
      if (isAtEnd) break;
    }
    met.length = 0;
    await sweepShard(scheduled, shard, sweepDeadline());
    expect(met).toEqual([]);
    expect(seen.size).toBeGreaterThan(40);
  });
});

describe('runEach', () => {
  it('runs 8 at once, those of a group one after another', async () => {
    const running = new Map<number, number>();
    let most = 0;
    const work = async ({ group }: { readonly group: number }) => {
      expect(running.has(group)).toBe(false);
      running.set(group, 1);
      most = Math.max(most, running.size);
      await Promise.resolve();
      running.delete(group);
    };
    const items = names(0, 60).map((_, n) => ({ group: n % 12 }));
    await runEach(items, work, sweepDeadline(), ({ group }) => group);
    expect(most).toBe(8);
  });
});

describe('the shards of a family', () => {
  const family = keyFamily('OUTBOX#{id:shard of 8}', '{at}#{id}');

  it('are told by the family, and by each key', () => {
    expect(listShards(family)).toEqual(names(0, 8).map((n) => `OUTBOX#${Number(n)}`));
    const { pk } = family.at({ at: at(0), id: 'abc' });
    expect(listShards(family)).toContain(pk);
    expect(family.at({ at: at(5), id: 'abc' }).pk).toBe(pk);
  });

  it('have equal parts of many ids', () => {
    const counts = new Map(listShards(family).map((pk) => [pk, 0]));
    for (let id = 0; id < 16_000; id++) {
      const { pk } = family.at({ at: at(0), id: String(5_000_000_000 + 4_096 * id) });
      counts.set(pk, (counts.get(pk) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(200);
  });

  it('read a key of the right shard only', () => {
    const key = family.at({ at: at(0), id: 'abc' });
    expect(family.read(key)).toEqual({ at: at(0), id: 'abc' });
    const other = listShards(family).find((pk) => pk !== key.pk) ?? '';
    expect(family.read({ ...key, pk: other })).toBeUndefined();
  });
});

describe('the shards of due work', () => {
  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
  const writeUnitsPerSecond = 1_000;

  const changesPerSecond = 2_000;

  const dueAt = '2026-11-21T12:00:00.000Z';
  const recordId = () => 245_573_330_256_442 + 4_096 * randomInt(1_000) + randomInt(4_096);

  /** Parts of a key of each list, and the most write units that one change takes there. */
  const changes: Readonly<Record<string, readonly [parts: () => object, units: number]>> = {
    'unsent-jobs': [() => ({ at: dueAt, id: randomUUID() }), 3],
    'scheduled-deletions': [() => ({ at: dueAt, key: createFileKey() }), 6],
    'event-reminders': [() => ({ at: dueAt, id: recordId() }), 1],
    'trashed-documents': [() => ({ at: dueAt, id: recordId() }), 1],
    'trashed-files': [() => ({ at: dueAt, id: recordId() }), 1],
    'unfinished-uploads': [() => ({ at: dueAt, id: recordId() }), 1],
    'ended-shares': [() => ({ at: dueAt, id: createRandomId() }), 1],
    'share-prunes': [() => ({ at: dueAt, id: createRandomId(), entry: createRandomId() }), 2],
    'leaving-accounts': [() => ({ at: dueAt, id: recordId() }), 2],
    tombstones: [() => ({ at: dueAt, id: createRandomId() }), 1],
  };

  const keyOf = ({ at }: AnyKeyFamily, parts: object): Key => (at as (parts: object) => Key)(parts);

  /** What users ask for at most once in a while, and the service does one after another. */
  const rare = ['due-exports'];

  const frequent = scheduledWork.filter(({ name }) => !rare.includes(name));

  it.each(frequent.map((work) => [work.name, work] as const))(
    'take 2,000 changes a second: %s',
    (name, { due }) => {
      const [parts, units] = changes[name] ?? expect.unreachable();
      const taken = new Map(listShards(due).map((shard) => [shard, 0]));
      for (let change = 0; change < changesPerSecond; change++) {
        const { pk } = keyOf(due, parts());
        taken.set(pk, (taken.get(pk) ?? expect.unreachable()) + units);
      }
      expect(Math.max(...taken.values())).toBeLessThanOrEqual(writeUnitsPerSecond);
    },
  );

  it('are read by 65 queries in a minute without due work', () => {
    expect(scheduledWork.flatMap(({ due }) => listShards(due))).toHaveLength(65);
  });
});
