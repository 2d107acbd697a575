import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { goOn } from '../../../functions/jobs/retention/retention.ts';
import { walkShares } from '../../../functions/jobs/retention/share-walk.ts';
import { readWalk } from '../../../functions/jobs/retention/walk.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { signInAgain, usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const { measure } = useMeter();
const { ann } = usePeople({ ann: newPerson });
const hers = sharesOf(ann);
const minuteMs = 60_000;

const bound = (age: string) => vi.stubEnv('MAX_SHARE_AGE', age);
const soon = () => ({ deadline: Date.now() + 20_000 });

/** Returns the names of a share's items. */
const namesOf = async (id: string) =>
  (await itemsOf(shareKeys.record.at({ id }).pk)).map(({ sk }) => sk).toSorted();

describe('the scheduled run', () => {
  it('deletes the content of shares whose age has ended, and a longer one brings none back', async () => {
    const [old, later] = [await hers.newShare(), await hers.newShare({ expiresIn: 8 * 86_400 })];
    await hers.put(old, { content: '<p>Other</p>' });
    pass(60 * minuteMs);
    await signInAgain(ann);
    const young = await hers.newShare();
    expect(await namesOf(later)).toContain('END');
    bound('1h');
    // Two minutes later than it ended, as after any end.
    await runMinute();
    expect(await namesOf(old)).toContain('REVISION#0000000000000001');
    pass(10 * minuteMs);
    await runMinute();
    await signInAgain(ann);
    expect(await namesOf(old)).toEqual(['SHARE', 'STATE']);
    expect(await namesOf(later)).toEqual(['SHARE', 'STATE']);
    expect((await hers.look(young)).body.status).toBe('active');
    vi.unstubAllEnvs();
    const ended = (await hers.listBy({ status: 'ended' })).body.items;
    expect(ended).toHaveLength(2);
    expect(ended[0]).toMatchObject({ status: 'ended', endedBy: 'time' });
  });

  it('looks each ten minutes, and at each share once', async () => {
    bound('1h');
    pass(10 * minuteMs);
    await runMinute();
    const { upTo } = (await readWalk('shares')) ?? {};
    pass(minuteMs);
    await runMinute();
    expect((await readWalk('shares'))?.upTo).toBe(upTo);
    pass(9 * minuteMs);
    const { requests, readUnits, writeUnits } = await measure(() => walkShares(soon()));
    // The mark, four shards, and the mark again.
    expect({ requests: requests.table, readUnits, writeUnits }).toEqual({
      requests: 6,
      readUnits: 3,
      writeUnits: 1,
    });
    expect(Date.parse((await readWalk('shares'))?.upTo ?? '')).toBe(Date.now() - 62 * minuteMs);
  });

  it('passes a share that fails each time, remembers it, and follows itself with no job', async () => {
    vi.stubEnv('MAX_SHARE_AGE', '1h');
    pass(70 * minuteMs);
    await walkShares(soon());
    vi.unstubAllEnvs();
    await signInAgain(ann);
    const failing = await hers.newShare({ viewLimit: 9 });
    pass(minuteMs);
    const other = await hers.newShare({ viewLimit: 9 });
    await hers.put(failing, { content: '<p>Other</p>' });
    await hers.put(other, { content: '<p>Other</p>' });
    pass(70 * minuteMs);
    bound('1h');
    const real = documentClient().send.bind(documentClient()) as (
      ...all: unknown[]
    ) => Promise<unknown>;
    const { pk } = shareKeys.record.at({ id: failing });
    vi.spyOn(documentClient(), 'send').mockImplementation((async (
      command: object,
      ...rest: unknown[]
    ) => {
      const isWrite = command instanceof TransactWriteCommand;
      if (isWrite && JSON.stringify(command.input).includes(pk)) throw new Error('It is broken');
      return real(command, ...rest);
    }) as never);
    for (const _ of [1, 2]) {
      expect((await walkShares(soon())).failure).toEqual(new Error('It is broken'));
      expect(await readWalk('shares')).toMatchObject({ failed: [failing] });
    }
    expect(Date.parse((await readWalk('shares'))?.upTo ?? '')).toBe(Date.now() - 62 * minuteMs);
    await expect(goOn('shares')).rejects.toThrow('It is broken');
    vi.restoreAllMocks();
    expect(await namesOf(failing)).toContain('REVISION#0000000000000001');
    expect(await namesOf(other)).toEqual(['SHARE', 'STATE']);
    expect((await walkShares(soon())).failure).toBeUndefined();
    expect(await namesOf(failing)).toEqual(['SHARE', 'STATE']);
    expect(await readWalk('shares')).not.toHaveProperty('failed');
  });
});
