import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  complete,
  erase,
  newOwner,
  objectKeys,
  presign,
  remove,
  sendForm,
  upload,
  usage,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const hourMs = 3_600_000;
const quota = 2_048;

beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '2d');
  vi.stubEnv('FILES_QUOTA', '2KB');
  return () => {
    vi.unstubAllEnvs();
  };
});
const { ann } = useNewPeople({ ann: newOwner });

/** Creates a form of this size and deletes its upload immediately; the form still works. */
const misuse = async (size: number): Promise<number> => {
  const { status, body } = await presign(ann, { size });
  if (status !== 201) return status;
  expect((await remove(ann, body.data.id)).status).toBe(200);
  expect(await sendForm(body.data, Buffer.alloc(size, 1))).toBe(201);
  return status;
};

describe('upload allowance', () => {
  it('is twice the quota, even if each upload is deleted', async () => {
    expect([await misuse(quota), await misuse(quota)]).toEqual([201, 201]);
    const before = await objectKeys();
    const refused = await presign(ann, { size: 1 });
    expect([refused.status, refused.headers['retry-after'], refused.body.error]).toMatchObject([
      429,
      '13',
      {
        code: 'RATE_LIMITED',
        message: 'Upload limit reached (twice your quota). Try again later.',
        details: [],
      },
    ]);
    expect(await objectKeys()).toEqual(before);
    expect((await usage(ann)).used).toBe(0);
    expect((await presign(await newOwner(), { size: quota })).status).toBe(201);
  });

  it('grows by a quota in seven hours, when earlier objects are deleted', async () => {
    for (const size of [quota, quota]) expect(await misuse(size)).toBe(201);
    const refused = await presign(ann, { size: quota });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(7 * 3_600)]);
    pass(7 * hourMs - 1_000);
    expect((await presign(ann, { size: quota })).status).toBe(429);
    pass(1_001);
    await runMinute();
    expect(await objectKeys()).toEqual([]);
    expect(await misuse(quota)).toBe(201);
    expect((await presign(ann, { size: quota })).status).toBe(429);
    // The allowance never exceeds this, however long it is unused.
    pass(30 * hourMs);
    await runMinute();
    expect([await misuse(quota), await misuse(quota), await misuse(quota)]).toEqual([
      201, 201, 429,
    ]);
  });

  it('counts completed and deleted uploads', async () => {
    for (let round = 0; round < 2; round++) {
      const { data } = (await presign(ann, { size: quota })).body;
      expect(await sendForm(data, Buffer.alloc(quota, 1))).toBe(201);
      expect((await complete(ann, data.id)).status).toBe(200);
      expect(await sendForm(data, Buffer.alloc(quota, 2))).toBe(201);
      expect((await erase(ann, data.id)).status).toBe(200);
    }
    expect((await presign(ann, { size: quota })).status).toBe(429);
    expect((await upload(ann, Buffer.alloc(quota, 1))).status).toBe(201);
    // An exceeded quota is reported first.
    expect((await presign(ann, { size: 1 })).status).toBe(413);
    expect((await presign(ann, { size: 0 })).status).toBe(201);
  });

  it('is exact for concurrent requests', async () => {
    for (const size of [quota, quota - 512]) expect(await misuse(size)).toBe(201);
    const responses = await Promise.all(
      Array.from({ length: 7 }, () => presign(ann, { size: 128 })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429, 429]);
    expect((await usage(ann)).used).toBe(512);
  });

  it('is consumed once by repeated requests, and not by rejected ones', async () => {
    const key = { 'idempotency-key': 'form' };
    const [first, second] = [
      await presign(ann, { size: quota }, key),
      await presign(ann, { size: quota }, key),
    ];
    expect(second.body.data).toEqual(first.body.data);
    expect((await presign(ann, { size: 1 })).status).toBe(413);
    await remove(ann, first.body.data.id);
    expect(await misuse(quota)).toBe(201);
    expect(await misuse(1)).toBe(429);
  });
});
