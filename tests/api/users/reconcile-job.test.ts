import { crc32 } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { change } from '../../../functions/api/share/changing/update.ts';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';
import { removeUser, update } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { claim } from '../../../shared/db/claim.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { jobKeys } from '../../../shared/jobs/keys.ts';
import { withLease } from '../../../shared/jobs/lease.ts';
import { pass } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import { deadJobs, minuteLater, queuedWork, runJobs, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { changeUser, deleteUser } from '../../support/users/administration.ts';
import { newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useJobs();
afterEach(async () => {
  vi.restoreAllMocks();
  await minuteLater();
  expect([await queuedWork(), await deadJobs(), await itemsOf('OUTBOX')]).toEqual([[], [], []]);
  vi.useRealTimers();
});

/** Returns the subjects of the jobs in the outbox. */
const leftJobs = async () =>
  (await itemsOf('OUTBOX')).map(({ message }) => JSON.parse(String(message)).data);

const shares = (owner: Person, count: number) =>
  Promise.all(Array.from({ length: count }, sharesOf(owner).newShare));
const sharesLeft = async ({ id }: Person): Promise<number> =>
  (await itemsOf('SHARE#')).filter(({ ownerId }) => ownerId === id).length;
const statusesOf = async (ids: readonly string[]): Promise<number[]> => {
  const responses = await Promise.all(ids.map((id) => call('HEAD /api/share', { query: { id } })));
  return [...new Set(responses.map(({ status }) => status))];
};
const remove = (caller: Person, { id }: Person, transferTo?: Person) =>
  deleteUser(caller, id, transferTo?.id);
const setStatus = (caller: Person, { id }: Person, status: string) =>
  changeUser(caller, id, { status });

/** Ends the time budget of a reconciliation after a number of batches of shares. */
const endBudgetAfter = (batches: number): void => {
  let queries = 0;
  const name = 'budget';
  const stack = documentClient().middlewareStack;
  stack.add(
    (next, { commandName }) =>
      async (args) => {
        const isBatch =
          commandName === 'QueryCommand' && JSON.stringify(args.input).includes('SHARE#');
        if (isBatch && ++queries === batches) {
          stack.remove(name);
          pass(6_000);
        }
        return next(args);
      },
    { name },
  );
};

/** Interrupts the request when it starts to process the shares. */
const breakOff = () => {
  const client = documentClient();
  const send = client.send.bind(client);
  return vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
    const isWork =
      command instanceof QueryCommand && JSON.stringify(command.input).includes('SHARE#');
    if (isWork) throw new Error('The function was ended');
    return send(command as QueryCommand) as never;
  });
};

describe('a user who is suspended and reactivated', () => {
  it('closes and opens more shares than one batch holds', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await shares(bob, 30);
    await setStatus(admin, bob, 'suspended');
    expect(await statusesOf(ids)).toEqual([410]);
    await setStatus(admin, bob, 'active');
    expect(await statusesOf(ids)).toEqual([200]);
  });

  it.each([
    ['suspended', 410],
    ['active', 200],
  ])('leaves to a job what exceeds the time budget: %s', async (status, expected) => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await shares(bob, 30);
    if (status === 'active') await setStatus(admin, bob, 'suspended');
    vi.useFakeTimers({ toFake: ['Date'] });
    endBudgetAfter(1);
    expect((await setStatus(admin, bob, status)).status).toBe(200);
    // Some access items are unchanged, but no share opens without its owner.
    expect((await statusesOf(ids)).toSorted()).toEqual(status === 'active' ? [200, 410] : [410]);
    expect([await queuedWork(), await leftJobs()]).toEqual([
      [],
      [{ userId: bob.id, sharesAfter: expect.stringMatching(/^SHARE#/) }],
    ]);
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([expected]);
  });

  it('enqueues no job if the request completes the work', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await shares(bob, 3);
    for (const [status, expected] of [
      ['suspended', 410],
      ['active', 200],
    ] as const) {
      await setStatus(admin, bob, status);
      expect([await queuedWork(), await leftJobs()]).toEqual([[], []]);
      expect(await statusesOf(ids)).toEqual([expected]);
    }
  });

  it('leaves all work to a job if the user changes concurrently', async () => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await shares(bob, 3);
    instead(documentClient(), QueryCommand, async (readShares) => {
      await update(bob.id, () => ({ status: 'active' }), systemRecorder('user.update'));
      return readShares();
    });
    expect((await setStatus(admin, bob, 'suspended')).status).toBe(200);
    const job = { userId: bob.id };
    expect(await leftJobs()).toEqual([job, job]);
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([200]);
  });

  it.each([
    ['suspended', 410],
    ['active', 200],
  ])('leaves all work to a job if the request is interrupted: %s', async (status, expected) => {
    const admin = await newUserOf('admin');
    const bob = await newPerson();
    const ids = await shares(bob, 3);
    if (status === 'active') await setStatus(admin, bob, 'suspended');
    const sending = breakOff();
    expect((await setStatus(admin, bob, status)).status).toBe(200);
    sending.mockRestore();
    expect(await statusesOf(ids)).toEqual([410]);
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([expected]);
  });

  it('applies the last change to the shares, in any order of the jobs', async () => {
    const bob = await newPerson();
    const ids = await shares(bob, 3);
    await update(bob.id, () => ({ status: 'suspended' }), systemRecorder('user.update'));
    await update(bob.id, () => ({ status: 'active' }), systemRecorder('user.update'));
    await update(bob.id, () => ({ status: 'suspended' }), systemRecorder('user.update'));
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([410]);
    await update(bob.id, () => ({ status: 'active' }), systemRecorder('user.update'));
    await reconcileUser({ userId: bob.id });
    expect(await statusesOf(ids)).toEqual([200]);
  });
});

describe('a user who is deleted', () => {
  it('leaves to a job what exceeds the time budget', async () => {
    const admin = await newUserOf('super_admin');
    const bob = await newPerson();
    const ids = await shares(bob, 30);
    vi.useFakeTimers({ toFake: ['Date'] });
    endBudgetAfter(1);
    const { body } = await remove(admin, bob);
    expect(body.data).toEqual({ id: bob.id, pending: true });
    expect(await statusesOf(ids)).toEqual([404]);
    const job = { userId: bob.id, removedAt: expect.any(Number) };
    expect([await queuedWork(), await leftJobs()]).toEqual([[], [job]]);
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([404]);
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
  });

  it('leaves to 16 jobs what exceeds the time budget of one, each record once', async () => {
    const bob = await newPerson();
    const ids = await shares(bob, 60);
    await removeUser(bob.id, () => undefined, undefined, systemRecorder('user.delete'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const total = await readTotal('shares');
    endBudgetAfter(2);
    await reconcileUser({ userId: bob.id, removedAt: Date.now() });
    const waiting = (await queuedWork()).map((body) => JSON.parse(body).data.part);
    expect(waiting.toSorted()).toEqual([...Array(16).keys(), undefined].toSorted());
    expect(await sharesLeft(bob)).toBeGreaterThan(0);
    await runJobs();
    expect(await sharesLeft(bob)).toBe(0);
    expect(await readTotal('shares')).toBe(total - ids.length);
    // The job that waits for the others deletes the rest of the user.
    expect(await itemsOf(`USER#${bob.id}`)).not.toEqual([]);
    vi.setSystemTime(Date.now() + 121_000);
    await runJobs();
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
  });

  it('is left to the job at work on a part, which dies without harm', async () => {
    const bob = await newPerson();
    await shares(bob, 20);
    const [entry] = (await itemsOf(`USER#${bob.id}`)).filter(({ sk }) => sk.startsWith('SHARE#'));
    const part = crc32(entry?.sk ?? '') % 16;
    await removeUser(bob.id, () => undefined, undefined, systemRecorder('user.delete'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const data = { userId: bob.id, removedAt: Date.now() };
    const before = await sharesLeft(bob);
    await withLease(`reconcile-${bob.id}-${part}`, () => reconcileUser({ ...data, part }));
    expect(await sharesLeft(bob)).toBe(before);
    const dead = claim(jobKeys.lease.at({ name: `reconcile-${bob.id}-${part}` }), {
      until: Date.now() + 60_000,
      ttl: Date.now(),
    });
    expect((await dead).state).toBe('mine');
    await reconcileUser({ ...data, part });
    expect(await sharesLeft(bob)).toBe(before);
    vi.setSystemTime(Date.now() + 60_000);
    await reconcileUser({ ...data, part });
    expect(await sharesLeft(bob)).toBeLessThan(before);
  });

  it('leaves all work to a job if the request is interrupted after the deletion', async () => {
    const bob = await newPerson();
    const ids = await shares(bob, 3);
    await removeUser(bob.id, () => undefined, undefined, systemRecorder('user.delete'));
    expect(await statusesOf(ids)).toEqual([404]);
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([404]);
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
  });

  it('returns once if a transfer takes longer and a job completes it', async () => {
    const admin = await newUserOf('super_admin');
    const [ann, bob] = [await newPerson(), await newPerson()];
    const ids = await shares(bob, 30);
    vi.useFakeTimers({ toFake: ['Date'] });
    endBudgetAfter(1);
    const { status, body } = await remove(admin, bob, ann);
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, data: { id: bob.id, pending: true }, message: 'Deleted' },
    });
    // No one can read what is not transferred to Ann yet, neither as hers nor as Bob's.
    expect((await statusesOf(ids)).toSorted()).toEqual([200, 404]);
    expect((await remove(admin, bob, ann)).status).toBe(404);
    await minuteLater();
    const query = { mine: 'true', pageSize: '100' };
    const mine = await call('GET /api/share', { token: ann.token, query });
    expect([mine.body.total, mine.body.items.length]).toEqual([30, 30]);
    expect(await statusesOf(ids)).toEqual([200]);
  });
});

describe('transferred shares', () => {
  it('open again if the owner was suspended and the receiver is active', async () => {
    const admin = await newUserOf('super_admin');
    const [ann, bob] = [await newPerson(), await newPerson()];
    const ids = await shares(bob, 2);
    await setStatus(admin, bob, 'suspended');
    expect((await remove(admin, bob, ann)).status).toBe(200);
    expect(await statusesOf(ids)).toEqual([200]);
  });

  it('close if the receiver is suspended before the job runs', async () => {
    const admin = await newUserOf('super_admin');
    const [ann, bob] = [await newPerson(), await newPerson()];
    const ids = await shares(bob, 2);
    await removeUser(bob.id, () => undefined, ann.id, systemRecorder('user.delete'));
    await setStatus(admin, ann, 'suspended');
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([410]);
    await setStatus(admin, ann, 'active');
    expect(await statusesOf(ids)).toEqual([200]);
  });

  it('are transferred although one changes concurrently', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const [id = ''] = await shares(bob, 1);
    await removeUser(bob.id, () => undefined, ann.id, systemRecorder('user.delete'));
    const client = documentClient();
    const send = client.send.bind(client);
    const edit = async () => ({ title: 'Another', useRandomPassword: false });
    const sending = vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
      const response = await send(command as QueryCommand);
      if (command instanceof QueryCommand && JSON.stringify(command.input).includes(id)) {
        sending.mockRestore();
        await change(id, edit, () => undefined, systemRecorder('share.update'), {
          user: { id: bob.id },
          permissions: [],
        });
      }
      return response as never;
    });
    await reconcileUser({ userId: bob.id, transferTo: ann.id });
    const query = { id, mine: 'true' };
    expect(await call('GET /api/share', { token: ann.token, query })).toMatchObject({
      status: 200,
      body: { id, title: 'Another' },
    });
    const counts = (await itemsOf(`USER#${ann.id}`)).filter(({ sk }) => sk === 'SHARES');
    expect(counts).toMatchObject([{ shares: 1 }]);
  });

  it('are deleted if the receiver is deleted before the job runs', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const ids = await shares(bob, 2);
    await removeUser(bob.id, () => undefined, ann.id, systemRecorder('user.delete'));
    await removeUser(ann.id, () => undefined, undefined, systemRecorder('user.delete'));
    await minuteLater();
    expect(await statusesOf(ids)).toEqual([404]);
  });
});
