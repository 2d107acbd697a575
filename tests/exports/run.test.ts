import { describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/exports/index.ts';
import * as progress from '../../functions/exports/progress.ts';
import { lambdaContext } from '../../infra/local/lambda-context.ts';
import { systemRecorder } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/db/transaction.ts';
import {
  dueWrite,
  findExport,
  listExports as listStored,
} from '../../shared/exports/export-store.ts';
import { orderExport } from '../../shared/exports/order-export.ts';
import { withLease } from '../../shared/jobs/lease.ts';
import { ownerOf } from '../support/exports/archive.ts';
import { deleteExport, listExports, orderOwnData } from '../support/exports/exports.ts';
import { storeExport } from '../support/exports/ready-export.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { textOf } from '../support/s3/local-s3.ts';
import { useStoppableBucket } from '../support/s3/stopped-s3.ts';
import { runMinute, useJobs } from '../support/service/jobs.ts';
import { itemsOf, useTable } from '../support/table/table.ts';
import { changeUser } from '../support/users/administration.ts';
import { useNewPeople } from '../support/users/use-people.ts';

useTable();
useJobs();
const { withoutS3 } = useStoppableBucket();
useVirtualTime('2026-11-21T12:00:00Z');

const minute = 60_000;
const { ann, bob, admin } = useNewPeople({ ann: 'user', bob: 'user', admin: 'super_admin' });

/** Calls the function with so much time. */
const callWith = (ms: number): Promise<void> =>
  handler({}, { ...lambdaContext('test', 0), getRemainingTimeInMillis: () => ms });

const statusOf = async (person = ann) => {
  const [latest] = await listStored(person.id);
  return latest && [latest.status, latest.problem ?? null];
};

const minuteLater = async (): Promise<void> => {
  pass(minute);
  await runMinute();
};

describe('the function of exports', () => {
  it('does nothing while another call of it runs', async () => {
    await orderOwnData(ann);
    await withLease('exports', () => callWith(15 * minute), 15 * minute);
    expect(await statusOf()).toEqual(['waiting', null]);
    await callWith(15 * minute);
    expect(await statusOf()).toEqual(['ready', null]);
  });

  it('makes what waits, oldest first, as long as there is time for another', async () => {
    await orderOwnData(ann);
    pass(1_000);
    await orderOwnData(bob);
    await callWith(9 * minute);
    expect([await statusOf(), await statusOf(bob)]).toEqual([
      ['ready', null],
      ['waiting', null],
    ]);
    await runMinute();
    expect(await statusOf(bob)).toEqual(['ready', null]);
  });

  it('tries again what the bucket refuses, and gives up after three times', async () => {
    await orderOwnData(ann);
    for (let tries = 1; tries <= 3; tries++) {
      expect(await statusOf()).toEqual(['waiting', null]);
      pass(2 * minute);
      await withoutS3(runMinute);
    }
    const [failed] = await listExports(ann);
    expect(failed).toMatchObject({
      status: 'failed',
      problem: 'It failed three times. Ask for it again, or tell who runs this service.',
      bytes: null,
    });
    expect(await itemsOf('EXPORTS#DUE')).toEqual([]);
    const again = await orderOwnData(ann);
    expect(again.status).toBe(202);
    await deleteExport(ann, again.body.data.id);
  });

  it('ends in time, and says so after three times', async () => {
    await orderOwnData(ann);
    for (let tries = 1; tries <= 3; tries++) {
      pass(2 * minute);
      await callWith(20_000);
    }
    expect(await statusOf()).toEqual(['failed', 'It is more than can be exported in 15 minutes.']);
    expect(await textOf(`exports/${ann.id}/${(await listExports(ann))[0].id}`)).toBeUndefined();
    expect((await orderOwnData(ann)).status).toBe(429);
  });

  it('begins anew when the call before has died, and gives up after three', async () => {
    const { id } = (await orderOwnData(ann)).body.data;
    for (let tries = 1; tries <= 3; tries++) {
      const found = await findExport(ann.id, id);
      if (found) await progress.begin(found, Date.now() + 15 * minute);
      await runMinute();
      expect(await statusOf()).toEqual(['running', null]);
      pass(15 * minute);
    }
    await runMinute();
    const failed = await findExport(ann.id, id);
    expect([failed?.status, failed?.tries]).toEqual(['failed', 3]);
  });

  it('makes nothing for a suspended user, and does not try again', async () => {
    await orderOwnData(ann);
    await changeUser(admin, ann.id, { status: 'suspended' });
    await minuteLater();
    const [item] = (await itemsOf(`USER#${ann.id}`)).filter(({ sk }) =>
      String(sk).startsWith('EXPORT#'),
    );
    expect(item).toMatchObject({
      status: 'failed',
      problem: 'The account is not active.',
      tries: 1,
    });
  });

  it('asks for the permissions of a list again', async () => {
    const actor = await ownerOf(ann);
    const order = { kind: 'users', format: 'csv' } as const;
    await orderExport(actor, order, systemRecorder('user.export'));
    await minuteLater();
    expect(await statusOf()).toEqual(['failed', 'Missing permission: users:export.']);
  });

  it('deletes the file of an export that was deleted while it was made', async () => {
    const { id } = (await orderOwnData(ann)).body.data;
    const { finish } = progress;
    const spy = vi.spyOn(progress, 'finish').mockImplementation(async (...given) => {
      await deleteExport(ann, id);
      return finish(...given);
    });
    await minuteLater();
    spy.mockRestore();
    expect(await listExports(ann)).toEqual([]);
    expect(await textOf(`exports/${ann.id}/${id}`)).toBeUndefined();
  });

  it('forgets entries whose exports are gone', async () => {
    const gone = await storeExport(ann.id);
    await transact([dueWrite(gone, gone.requestedAt)]);
    pass(1);
    await orderOwnData(ann);
    await minuteLater();
    expect(await statusOf()).toEqual(['ready', null]);
    expect(await itemsOf('EXPORTS#DUE')).toEqual([]);
  });
});

describe('orderExport', () => {
  it('lets five wait, and keeps twenty', async () => {
    const actor = await ownerOf(ann);
    const order = (query: string) =>
      orderExport(actor, { kind: 'users', format: 'csv', query }, systemRecorder('user.export'));
    for (let at = 0; at < 20; at++) {
      pass(1);
      await storeExport(ann.id);
    }
    const [newest] = await listExports(ann);
    for (let at = 0; at < 5; at++) {
      pass(1);
      await order(`search=${at}`);
    }
    await expect(order('search=6')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await order('search=4')).filter).toBe('search=4');
    const left = await listExports(ann);
    expect([left.length, left[5].id]).toEqual([20, newest.id]);
  });
});
