import { beforeAll, describe, expect, it, vi } from 'vitest';
import { putShareObject } from '../../../../functions/api/share/files/objects.ts';
import { schedulePrune } from '../../../../functions/api/share/files/prune-entries.ts';
import { recount } from '../../../../functions/jobs/recount/recount.ts';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { runMinute, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { readState } from '../../../support/service/state.ts';
import {
  objectsOf,
  sendFiles,
  site,
  startUpload,
  uploaded,
  usageOf,
} from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { deleteUser } from '../../../support/users/administration.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '9d');
  return () => {
    vi.unstubAllEnvs();
  };
});

const hourMs = 3_600_000;
const { root, ann, ben } = useNewPeople({ root: 'super_admin', ann: newPerson, ben: newPerson });

const newSite = async (): Promise<string> => (await sendFiles(ann.token, site)).body.id;

const verify = async () => {
  expect(violationsOf(await readState())).toEqual([]);
  expect((await recount()).differences).toEqual([]);
};

describe('pruning a share', () => {
  it('deletes what a request that died has put, and nothing that an open upload has sent', async () => {
    const id = await newSite();
    const listed = await objectsOf(id);
    const upload = await uploaded(ann.token, { 'a.txt': 'A', 'b.txt': 'B' }, { share: id });
    await schedulePrune(id);
    await putShareObject(id, Buffer.from('Left'));
    pass(3 * hourMs);
    await runMinute();
    expect(await objectsOf(id)).toHaveLength(listed.length + 3);
    expect((await sharesOf(ann).put(id, { upload })).status).toBe(200);
    pass(24 * hourMs);
    await runMinute();
    const kept = await objectsOf(id);
    expect([kept.length, listed.every((key) => kept.includes(key))]).toEqual([
      listed.length + 2,
      true,
    ]);
    await verify();
  });
});

describe('the files of a user who is removed', () => {
  it('are deleted, and so is what was sent ahead', async () => {
    const before = await objectsOf();
    const id = await newSite();
    await uploaded(ann.token, site);
    await sharesOf(ann).put(id, { files: null });
    expect((await deleteUser(root, ann.id)).status).toBe(200);
    await settleJobs();
    expect(await objectsOf(id)).toEqual([]);
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
    pass(25 * hourMs);
    await runMinute();
    pass(26 * hourMs);
    await runMinute();
    expect(await objectsOf()).toEqual(before);
    await verify();
  });

  it('go to who gets the share, with what they take', async () => {
    const id = await newSite();
    const { used } = await usageOf(ann.id);
    expect((await deleteUser(root, ann.id, ben.id)).status).toBe(200);
    await settleJobs();
    expect((await sharesOf(ben).look(id)).body.files).toHaveLength(3);
    expect((await usageOf(ben.id)).used).toBe(used);
    await sharesOf(ben).remove(id);
    await settleJobs();
    expect(await objectsOf(id)).toEqual([]);
    await verify();
  });
});

describe('the storage that files take', () => {
  it('is what a recount finds', async () => {
    const id = await newSite();
    await startUpload(ann.token, { 'index.html': 'Hello' });
    await sharesOf(ann).put(id, { files: null });
    await verify();
  });
});
