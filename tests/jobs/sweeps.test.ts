import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listTrash, trashed as trashedDocuments } from '../../functions/api/documents/trash.ts';
import { unfinishedUploads } from '../../functions/api/files/uploads/expired-uploads.ts';
import { ownedRecords } from '../../functions/api/owned-records.ts';
import { workers } from '../../functions/jobs/registry.ts';
import { scheduledWork } from '../../functions/jobs/sweeps/scheduled.ts';
import { claim } from '../../shared/db/claim.ts';
import { documentClient } from '../../shared/db/dynamodb.ts';
import { jobKeys } from '../../shared/jobs/keys.ts';
import { queueClient } from '../../shared/jobs/sqs.ts';
import { unsentJobs } from '../../shared/jobs/unsent.ts';
import { storageKeys } from '../../shared/storage/keys.ts';
import { scheduledDeletions } from '../../shared/storage/scheduled-deletions.ts';
import { made, newAuthor, trash } from '../support/documents/documents.ts';
import { deletionsOf } from '../support/files/deletions.ts';
import { newOwner, presign } from '../support/files/files.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { instead } from '../support/service/interruption.ts';
import {
  deadJobs,
  queuedJobs,
  queuedWork,
  runJobs,
  runMinute,
  useJobs,
} from '../support/service/jobs.ts';
import { sweep } from '../support/service/sweeps.ts';
import { putItems } from '../support/table/batch-writes.ts';
import { clearTable } from '../support/table/clear-table.ts';
import { itemsOf, useTable } from '../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

describe('a scheduled run', () => {
  afterEach(async () => {
    vi.restoreAllMocks();
    await clearTable('');
    expect([await queuedWork(), await deadJobs()]).toEqual([[], []]);
  });

  const left = async () => (await itemsOf('DELETIONS#')).length;

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

describe('a scheduled sweep', () => {
  afterEach(() => void vi.restoreAllMocks());

  const times = async (count: number, act: () => Promise<unknown>) => {
    for (let at = 0; at < count; at++) await act();
  };

  /** Makes the next transaction fail, with the work that uses it. */
  const failOnce = () =>
    instead(documentClient(), TransactWriteCommand, async () => {
      throw new Error('It fails');
    });

  it.each([
    ['documents in the trash', 'DOCUMENT#', 31, trashedDocuments],
    ['uploads', 'FILE#', 1, unfinishedUploads],
  ])('processes all due %s despite a failed one', async (_, prefix, days, work) => {
    const before = (await itemsOf(prefix)).length;
    const [author, owner] = [await newAuthor(), await newOwner()];
    await times(55, async () => {
      if (work === unfinishedUploads) await presign(owner, { name: 'a.txt', size: 1 });
      else await trash(author, await made(author));
    });
    pass(days * 86_400_000);
    failOnce();
    await expect(sweep(work)).rejects.toThrow('It fails');
    vi.restoreAllMocks();
    expect((await itemsOf(prefix)).length).toBe(before + 1);
    await sweep(work);
    expect((await itemsOf(prefix)).length).toBe(before);
  });

  it('deletes all objects scheduled for deletion until now', async () => {
    const at = new Date().toISOString();
    const names = Array.from({ length: 120 }, (_, number) => `texts/none/${number}`);
    await putItems(names.map((key) => ({ ...storageKeys.deletion.at({ at, key }), key })));
    await sweep(scheduledDeletions);
    expect(await itemsOf('DELETIONS')).toEqual([]);
  });

  it('sends all jobs of the outbox that are due now, once', async () => {
    await sweep(unsentJobs);
    const before = (await queuedJobs()).length;
    const at = new Date().toISOString();
    const ids = Array.from({ length: 1_030 }, (_, number) => `waiting-${number}`);
    const messageOf = (id: string) => JSON.stringify({ id, kind: 'purge-share', data: { id } });
    await putItems(
      ids.map((id) => ({
        ...jobKeys.outbox.at({ at, id }),
        queue: 'work',
        message: messageOf(id),
      })),
    );
    await sweep(unsentJobs);
    expect(await itemsOf('OUTBOX')).toEqual([]);
    const sent = (await queuedJobs()).slice(before);
    expect(sent.toSorted()).toEqual(ids.map(messageOf).toSorted());
  });

  it('drops emails of the outbox where email is off, because nothing receives them', async () => {
    await sweep(unsentJobs);
    const before = (await queuedJobs()).length;
    vi.stubEnv('MAIL_FROM', undefined);
    const at = new Date().toISOString();
    await putItems(
      (['mail', 'work'] as const).map((queue) => ({
        ...jobKeys.outbox.at({ at, id: queue }),
        queue,
        message: JSON.stringify({ id: queue, kind: 'purge-share', data: { id: queue } }),
      })),
    );
    await sweep(unsentJobs);
    vi.unstubAllEnvs();
    expect(await itemsOf('OUTBOX')).toEqual([]);
    const sent = (await queuedJobs()).slice(before);
    expect(sent.map((message) => JSON.parse(message).id)).toEqual(['work']);
  });

  it('returns no negative total for a trash list that is read concurrently', async () => {
    const author = await newAuthor();
    await trash(author, await made(author));
    pass(31 * 86_400_000);
    instead(documentClient(), BatchGetCommand, async (go) => {
      await sweep(trashedDocuments);
      return go();
    });
    const { items, total } = await listTrash(author.id, {});
    expect([items, total]).toEqual([[], 0]);
  });
});

describe('workers and scheduled work', () => {
  it.each([
    ['job types', workers.map(({ type }) => type.name)],
    ['scheduled work', scheduledWork.map(({ name }) => name)],
  ])('have unique names of %s', (_, names) => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('have one group with setSuspended, because a job stores a single position', () => {
    expect(ownedRecords.filter(({ setSuspended }) => setSuspended)).toHaveLength(1);
  });
});
