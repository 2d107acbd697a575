import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listTrash, trashedDocuments } from '../../functions/api/documents/trash.ts';
import { unfinishedUploads } from '../../functions/api/files/uploads/expired-uploads.ts';
import { documentClient } from '../../shared/db/dynamodb.ts';
import { jobKeys } from '../../shared/jobs/keys.ts';
import { unsentJobs } from '../../shared/jobs/unsent.ts';
import { storageKeys } from '../../shared/storage/keys.ts';
import { scheduledDeletions } from '../../shared/storage/scheduled-deletions.ts';
import { made, newAuthor, trash } from '../support/documents/documents.ts';
import { newOwner, presign } from '../support/files/files.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { instead } from '../support/service/interruption.ts';
import { queuedJobs, useJobs } from '../support/service/jobs.ts';
import { sweep } from '../support/service/sweeps.ts';
import { putItems } from '../support/table/batch-writes.ts';
import { itemsOf, useTable } from '../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
afterEach(() => void vi.restoreAllMocks());

const times = async (count: number, act: () => Promise<unknown>) => {
  for (let at = 0; at < count; at++) await act();
};

/** Makes the next transaction fail, with the work that uses it. */
const failOnce = () =>
  instead(documentClient(), TransactWriteCommand, async () => {
    throw new Error('It fails');
  });

describe('a scheduled sweep', () => {
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
