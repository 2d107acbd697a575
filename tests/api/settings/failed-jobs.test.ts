import { beforeEach, describe, expect, it } from 'vitest';
import { maxListed } from '../../../shared/jobs/failed-jobs.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { newFailedJob } from '../../support/service/failed-job.ts';
import { purgeJobs, queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

let token: string;
beforeEach(async () => {
  ({ token } = await newUserOf('user', { extraPermissions: ['jobs:manage'] }));
});

const fail = (error?: string): Promise<string> => {
  pass(1_000);
  return newFailedJob(error);
};
const list = () => call('GET /api/settings/failed-jobs', { token });
const retry = (id: string) =>
  call('POST /api/settings/failed-jobs/{id}/retry', { token, params: { id } });

describe('failed jobs', () => {
  it('are listed, the newest first, without their data', async () => {
    const [first, second] = [await fail(), await fail('AppError')];
    const { data } = (await list()).body;
    expect(data.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual([second, first]);
    expect(data[0]).toEqual({
      id: second,
      kind: 'delete-revisions',
      queue: 'work',
      failedAt: new Date().toISOString(),
      error: 'AppError',
    });
  });

  it('are listed up to 100', async () => {
    for (let count = 0; count <= maxListed; count++) await fail();
    expect((await list()).body.data).toHaveLength(100);
  });

  it('run again within a minute, and are off the list', async () => {
    const id = await fail();
    expect(await retry(id)).toMatchObject({ status: 200, body: { data: { id } } });
    expect((await list()).body.data.map((job: { id: string }) => job.id)).not.toContain(id);
    expect(await queuedWork()).toEqual([]);
    purgeJobs();
    await runMinute();
    expect((await queuedWork()).map((body) => JSON.parse(body).id)).toEqual([id.slice(14)]);
    expect(await runJobs()).toBe(1);
    expect(await itemsOf('OUTBOX')).toEqual([]);
    expect(await entriesAbout(`job:${id}`)).toMatchObject([
      { action: 'job.retry', subjectName: 'delete-revisions' },
    ]);
  });

  it('are enqueued once, however often that is asked', async () => {
    const id = await fail();
    const answers = await Promise.all([retry(id), retry(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await retry(id)).status).toBe(404);
    purgeJobs();
    await runMinute();
    expect(await runJobs()).toBe(1);
  });

  it.each([['unknown'], [`${Date.now()}-unknown`]])('are not found with the id %s', async (id) => {
    expect((await retry(id)).status).toBe(404);
  });
});
