import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settleUser } from '../functions/users/belongings.ts';
import { update } from '../functions/users/users.ts';
import { systemChange } from '../shared/change.ts';
import { documentClient } from '../shared/dynamodb.ts';
import { keys } from '../shared/table.ts';
import { putItems } from './support/batch-writes.ts';
import { instead } from './support/interruption.ts';
import { queuedWork, runJobs, useJobs } from './support/jobs.ts';
import { newPerson } from './support/people.ts';
import { gateOf } from './support/share-account.ts';
import { useTable } from './support/table.ts';
import { pass, useVirtualTime } from './support/virtual-time.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
afterEach(() => void vi.restoreAllMocks());

/** So many shares of a user as far as a suspension looks at them; their ids, the oldest first. */
const sharesOf = async (ownerId: number, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, (_, at) => `${ownerId}-${String(at).padStart(4, '0')}`);
  const createdAt = new Date().toISOString();
  await putItems(
    ids.flatMap((id) => [
      { ...keys.ownShare(ownerId, createdAt, id), id },
      { ...keys.shareViews(id), views: 0 },
    ]),
  );
  return ids;
};

const setStatus = (id: number, status: 'active' | 'suspended') =>
  update(id, () => ({ status }), undefined, systemChange('user.update'));

const closed = async (ids: readonly string[]): Promise<boolean[]> => {
  const gates = await Promise.all(ids.map((id) => gateOf(id)));
  return [...new Set(gates.map((gate) => gate?.ownerSuspended === true))];
};

/** Counts the writes of gates, and lets the budget of a run be over after so many of them. */
const countWrites = (budget: number) => {
  const client = documentClient();
  const send = client.send.bind(client) as (command: unknown) => Promise<never>;
  const written: string[] = [];
  vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
    if (command instanceof UpdateCommand && command.input.Key?.['sk'] === 'VIEWS') {
      written.push(String(command.input.Key['pk']));
      if (written.length % budget === 0) pass(6_000);
    }
    return send(command);
  });
  return written;
};

describe('the shares of a user who is suspended', () => {
  it.each([
    ['suspended', true],
    ['active', false],
  ] as const)('are each written once, however often the time is over: %s', async (status, is) => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 130);
    if (status === 'active') {
      await setStatus(userId, 'suspended');
      await settleUser({ userId });
    }
    await setStatus(userId, status);
    const written = countWrites(50);
    await settleUser({ userId });
    expect(written).toHaveLength(50);
    expect(await queuedWork()).toHaveLength(1);
    expect(await runJobs()).toBe(2);
    expect(written).toEqual(ids.map((id) => keys.shareViews(id).pk));
    expect(await closed(ids)).toEqual([is]);
  });

  it('are begun anew where the user is active again before the last are closed', async () => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 130);
    await setStatus(userId, 'suspended');
    const written = countWrites(50);
    await settleUser({ userId });
    await setStatus(userId, 'active');
    await settleUser({ userId });
    expect(written).toHaveLength(100);
    await runJobs();
    expect(await closed(ids)).toEqual([false]);
  });

  it('are open where the user is active again while they are closed', async () => {
    const { id: userId } = await newPerson();
    const ids = await sharesOf(userId, 3);
    await setStatus(userId, 'suspended');
    instead(documentClient(), UpdateCommand, async (close) => {
      await setStatus(userId, 'active');
      await settleUser({ userId });
      return close();
    });
    await settleUser({ userId });
    await runJobs();
    expect(await closed(ids)).toEqual([false]);
  });
});
