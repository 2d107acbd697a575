import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { owned } from '../../../functions/api/share/owned.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';
import { update } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import { queuedWork, runJobs, useJobs } from '../../support/service/jobs.ts';
import { gateOf } from '../../support/shares/account.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useTable } from '../../support/table/table.ts';
import { login, newPerson } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
afterEach(() => void vi.restoreAllMocks());

/** Stores the items of this many shares that a suspension reads, and returns their ids, oldest first. */
const sharesOf = async (ownerId: number, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, (_, at) => `${ownerId}-${String(at).padStart(4, '0')}`);
  const createdAt = new Date().toISOString();
  await putItems(
    ids.flatMap((id) => [
      { ...shareKeys.byOwner.at({ ownerId, createdAt, id }), id },
      { ...shareKeys.access.at({ id }), views: 0 },
    ]),
  );
  return ids;
};

const setStatus = (id: number, status: 'active' | 'suspended') =>
  update(id, () => ({ status }), systemRecorder('user.update'));

const closed = async (ids: readonly string[]): Promise<boolean[]> => {
  const gates = await Promise.all(ids.map((id) => gateOf(id)));
  return [...new Set(gates.map((access) => access?.ownerSuspended === true))];
};

/** Runs a callback with the partition key before each write of an access item. */
const beforeWrites = (act: (pk: string) => unknown) => {
  const client = documentClient();
  const send = client.send.bind(client) as (command: unknown) => Promise<never>;
  vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
    const writes = command instanceof TransactWriteCommand ? command.input.TransactItems : [];
    const key = writes?.find(({ Update }) => Update?.Key?.['sk'] === 'STATE')?.Update?.Key;
    if (key) await act(String(key['pk']));
    return send(command);
  });
};

/** Runs a callback before the first of these writes. */
const beforeFirstWrite = (act: () => Promise<unknown>) => {
  let isDone = false;
  beforeWrites(async () => {
    if (isDone) return;
    isDone = true;
    await act();
  });
};

/** Records the writes of access items, and exhausts the budget of a run after this many. */
const countWrites = (budget: number) => {
  const written: string[] = [];
  beforeWrites((pk) => {
    written.push(pk);
    if (written.length % budget === 0) pass(6_000);
  });
  return written;
};

describe('the shares of a suspended user', () => {
  it.each([
    ['suspended', true],
    ['active', false],
  ] as const)('are each written once across several runs: %s', async (status, is) => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 130);
    if (status === 'active') {
      await setStatus(userId, 'suspended');
      await reconcileUser({ userId });
    }
    await setStatus(userId, status);
    const written = countWrites(50);
    await reconcileUser({ userId });
    expect(written).toHaveLength(50);
    expect(await queuedWork()).toHaveLength(1);
    expect(await runJobs()).toBe(2);
    expect(written).toEqual(ids.map((id) => shareKeys.access.partition({ id }).pk));
    expect(await closed(ids)).toEqual([is]);
  });

  it('are restored if the user is reactivated before all are suspended', async () => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 130);
    await setStatus(userId, 'suspended');
    const written = countWrites(50);
    await reconcileUser({ userId });
    await setStatus(userId, 'active');
    await reconcileUser({ userId });
    expect(written).toHaveLength(100);
    await runJobs();
    expect(await closed(ids)).toEqual([false]);
  });

  it('are accessible if the user is reactivated during the suspension', async () => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 3);
    await setStatus(userId, 'suspended');
    beforeFirstWrite(async () => {
      await setStatus(userId, 'active');
      await reconcileUser({ userId });
    });
    await reconcileUser({ userId });
    await runJobs();
    expect(await closed(ids)).toEqual([false]);
  });

  it.each([
    ['stay open', 'suspended', false],
    ['stay closed', 'active', true],
  ] as const)('%s if they are transferred concurrently', async (_, status, is) => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const { body } = await call('POST /api/share', { token: ann.token, body: { content: 'Hi' } });
    if (is) await setStatus(bob.id, 'suspended');
    await setStatus(ann.id, status);
    const options = { to: bob.id, former: [], deadline: Date.now() + 1 };
    beforeFirstWrite(() => owned.deleteOrTransfer(ann.id, options));
    await reconcileUser({ userId: ann.id });
    expect(await closed([body.id])).toEqual([is]);
  });
});

describe('a new share', () => {
  const create = (token: string) => call('POST /api/share', { token, body: { content: 'Hi' } });

  /** Suspends the owner between the authentication of a request and its write. */
  const suspendMeanwhile = (userId: number, further: () => Promise<unknown> = async () => {}) =>
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await setStatus(userId, 'suspended');
      await further();
      return go();
    });

  it('is denied if its owner was suspended meanwhile, until the user is active again', async () => {
    const { id: userId, email, token } = await newPerson();
    suspendMeanwhile(userId, () => reconcileUser({ userId }));
    expect((await create(token)).status).toBe(401);
    await setStatus(userId, 'active');
    await reconcileUser({ userId });
    const { body } = await login(email);
    expect((await create(body.accessToken)).status).toBe(201);
  });

  it('is closed if its owner is suspended before the others are', async () => {
    const { id: userId, token } = await newPerson();
    suspendMeanwhile(userId);
    const { status, body } = await create(token);
    expect(status).toBe(201);
    await reconcileUser({ userId });
    expect(await closed([body.id])).toEqual([true]);
  });
});
