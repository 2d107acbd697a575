import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFileKey } from '../../../functions/api/files/uploads/objects.ts';
import { scheduledWork } from '../../../functions/jobs/scheduled.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import { type AnyKeyFamily, type Key, listShards } from '../../../shared/db/key.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const writeUnitsPerSecond = 1_000;

const changesPerSecond = 2_000;

const at = '2026-11-21T12:00:00.000Z';
const recordId = () => 245_573_330_256_442 + 4_096 * randomInt(1_000) + randomInt(4_096);

/** Parts of a key of each list, and the most write units that one change takes there. */
const changes: Readonly<Record<string, readonly [parts: () => object, units: number]>> = {
  'unsent-jobs': [() => ({ at, id: randomUUID() }), 3],
  'scheduled-deletions': [() => ({ at, key: createFileKey() }), 6],
  'event-reminders': [() => ({ at, id: recordId() }), 1],
  'trashed-documents': [() => ({ at, id: recordId() }), 1],
  'unfinished-uploads': [() => ({ at, id: recordId() }), 1],
  'ended-shares': [() => ({ at, id: createRandomId() }), 1],
  tombstones: [() => ({ at, id: createRandomId() }), 1],
};

const keyOf = ({ at }: AnyKeyFamily, parts: object): Key => (at as (parts: object) => Key)(parts);

describe('the shards of due work', () => {
  it.each(scheduledWork.map((work) => [work.name, work] as const))(
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

  it('are read by 44 queries in a minute without due work', () => {
    expect(scheduledWork.flatMap(({ due }) => listShards(due))).toHaveLength(44);
  });
});
