import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Fault } from '../../support/faults/fault.ts';
import {
  complete,
  fetchFile,
  newOwner,
  presign,
  remove,
  sendForm,
  sha256,
} from '../../support/files/files.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { put } from '../../support/s3/local-s3.ts';
import { isEntry } from '../../support/service/audit.ts';
import { queuedWork, runJobs, runMinute } from '../../support/service/jobs.ts';
import { readItems, readObjects, readState } from '../../support/service/state.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useFaultyEngines } from '../support/faults/engines.ts';

vi.mock('../../../shared/runtime/backoff.ts', () => import('../../support/faults/no-pauses.ts'));

useVirtualTime('2026-11-10T12:00:00Z');
const engines = useFaultyEngines();
beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '2d');
  return () => void vi.unstubAllEnvs();
});

const bytes = Buffer.from('The bytes that were announced.');
const hangingCopy: Fault = {
  kind: 'hang',
  service: 's3',
  operation: 'CopyObject',
  times: Number.POSITIVE_INFINITY,
};

const busy = {
  status: 503,
  headers: { 'retry-after': '1' },
  body: { error: { message: 'The upload is being processed. Repeat the request.' } },
};

const newUpload = async () => {
  await engines.empty();
  pass(60 * 60_000);
  const ann = await newOwner();
  const { data } = (await presign(ann, { name: 'notes.txt', size: bytes.length })).body;
  await sendForm(data, bytes);
  return { ann, id: data.id as number };
};

/** Records what completed each copy. */
const completedBy = async (): Promise<unknown[]> =>
  (await readItems())
    .filter(({ pk, action }) => isEntry(pk) && action === 'file.complete')
    .map(({ actorId }) => actorId);

/** Starts a copy that hangs, and returns the response of the waiting request. */
const completeInVain = (ann: Person, id: number) =>
  engines.suffer([hangingCopy], () => complete(ann, id));

describe('an S3 copy in progress', () => {
  it('responds within 10 s, with one attempt per request', async () => {
    const { ann, id } = await newUpload();
    const { result, waitedMs, met } = await completeInVain(ann, id);
    expect(result).toMatchObject(busy);
    expect(waitedMs).toBeGreaterThan(5_000);
    expect(waitedMs).toBeLessThan(10_000);
    expect(met).toEqual([1]);
    expect((await queuedWork()).map((body) => JSON.parse(body))).toEqual([
      {
        id: expect.any(String),
        kind: 'complete-upload',
        data: { id, copyKey: expect.stringMatching(/^files\/[\w-]{22}$/) },
      },
    ]);
  });

  it('is started once for repeated requests, and completed by one job', async () => {
    const { ann, id } = await newUpload();
    const several = () => Promise.all(Array.from({ length: 4 }, () => complete(ann, id)));
    const first = await engines.suffer([hangingCopy], several);
    const again = await engines.suffer([hangingCopy], several);
    expect([first.met, again.met]).toEqual([[1], [0]]);
    for (const response of [...first.result, ...again.result]) expect(response).toMatchObject(busy);
    expect(await queuedWork()).toHaveLength(1);
    const { asked } = await engines.suffer([], runJobs);
    expect(asked.filter(({ operation }) => operation === 'CopyObject')).toHaveLength(1);
    expect((await complete(ann, id)).status).toBe(200);
    expect(await completedBy()).toEqual([ann.id]);
  });

  it('is completed by a job, after which the same request returns the file', async () => {
    const { ann, id } = await newUpload();
    await completeInVain(ann, id);
    await completeInVain(ann, id);
    await runJobs();
    const { status, body } = await complete(ann, id);
    expect([status, body.data.status, body.data.checksum]).toEqual([200, 'ready', sha256(bytes)]);
    expect(await completedBy()).toEqual([ann.id]);
    expect(await queuedWork()).toEqual([]);
    expect(violationsOf(await readState())).toEqual([]);
  });

  it('is taken over by a request after two minutes', async () => {
    const { ann, id } = await newUpload();
    await completeInVain(ann, id);
    pass(119_000);
    expect(await complete(ann, id)).toMatchObject(busy);
    pass(1_000);
    const { status, body } = await complete(ann, id);
    expect(status).toBe(200);
    await runJobs();
    expect((await complete(ann, id)).body).toEqual(body);
    expect(await completedBy()).toEqual([ann.id]);
  });

  it('is deleted if S3 completes it late', async () => {
    const { ann, id } = await newUpload();
    await completeInVain(ann, id);
    const scheduled = (await readItems())
      .filter(({ pk }) => pk.startsWith('DELETIONS#'))
      .map(({ key }) => key);
    const copy = String(scheduled.find((key) => String(key).startsWith('files/')));
    await runJobs();
    expect((await complete(ann, id)).status).toBe(200);
    await put(copy, bytes);
    expect(violationsOf(await readState())).toEqual([]);
    pass(61 * 60_000);
    await runMinute();
    expect(await readObjects()).not.toContain(copy);
    expect((await fetchFile(ann, id)).bytes).toEqual(bytes);
  });

  it('does not restore a canceled or replaced upload', async () => {
    const { ann, id } = await newUpload();
    await completeInVain(ann, id);
    expect((await remove(ann, id)).status).toBe(200);
    await runJobs();
    expect((await complete(ann, id)).status).toBe(404);
    expect(await completedBy()).toEqual([]);
    expect(violationsOf(await readState())).toEqual([]);
  });

  it('is retried by the job', async () => {
    const { ann, id } = await newUpload();
    await completeInVain(ann, id);
    await engines.suffer([{ ...hangingCopy, times: 1 }], runJobs);
    // The invocation had no time for a second attempt.
    pass(31_000);
    const { asked } = await engines.suffer([], runJobs);
    expect(asked.filter(({ operation }) => operation === 'CopyObject')).toHaveLength(1);
    expect((await complete(ann, id)).status).toBe(200);
    expect(await completedBy()).toEqual([ann.id]);
  });
});
