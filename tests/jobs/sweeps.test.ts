import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claim } from '../../shared/db/claim.ts';
import { jobKeys } from '../../shared/jobs/keys.ts';
import { queueClient } from '../../shared/jobs/sqs.ts';
import { deletionsOf } from '../support/files/deletions.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { instead } from '../support/service/interruption.ts';
import { deadJobs, queuedWork, runJobs, runMinute, useJobs } from '../support/service/jobs.ts';
import { putItems } from '../support/table/batch-writes.ts';
import { clearTable } from '../support/table/clear-table.ts';
import { itemsOf, useTable } from '../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(async () => {
  vi.restoreAllMocks();
  await clearTable('');
  expect([await queuedWork(), await deadJobs()]).toEqual([[], []]);
});

const left = async () => (await itemsOf('DELETIONS#')).length;

describe('a scheduled run', () => {
  it('does up to 100 due entries of each shard, and leaves a shard with more to a job', async () => {
    await putItems([...deletionsOf(0, 100), ...deletionsOf(1, 230), ...deletionsOf(2, 1)]);
    await runMinute();
    expect(await left()).toBe(230);
    const jobs = (await queuedWork()).map((body) => JSON.parse(body));
    expect(jobs).toMatchObject([
      { kind: 'sweep', data: { work: 'scheduled-deletions', shard: 'DELETIONS#1' } },
    ]);
    await runJobs();
    expect(await left()).toBe(0);
  });

  it('does all itself while the queue is down', async () => {
    await putItems(deletionsOf(1, 230));
    instead(queueClient(), SendMessageCommand, async () => {
      throw new Error('It is down');
    });
    await runMinute();
    expect(await left()).toBe(0);
  });

  it('sends a job each minute, of which one is at work', async () => {
    await putItems(deletionsOf(1, 230));
    await runMinute();
    pass(60_000);
    await runMinute();
    expect(await queuedWork()).toHaveLength(2);
    const lease = { until: Date.now() + 60_000, ttl: Math.ceil(Date.now() / 1_000) + 60 };
    await claim(jobKeys.lease.at({ name: 'DELETIONS#1' }), lease);
    await runJobs();
    expect(await left()).toBe(230);
    // The job at work has died: its lease ends.
    pass(60_000);
    await runMinute();
    await runJobs();
    expect(await left()).toBe(0);
    expect(await itemsOf('JOB#LEASE')).toEqual([]);
  });
});
