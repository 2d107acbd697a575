import { describe, expect, it, vi } from 'vitest';
import { notify } from '../../../shared/notifications/notify.ts';
import { conditionFailed, passingErrors } from '../../support/aws/errors.ts';
import { failConditions, useMockedService } from '../../support/aws/mocked-service.ts';
import { listed, markAllRead, notice, tell } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { newPerson } from '../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { watch, items } = useMockedService();
const isTransaction = ({ name }: { readonly name: string }): boolean => name === 'TransactWrite';

describe('notify', () => {
  it('notifies the other users after an error, and fails', async () => {
    const error = passingErrors()[0]?.[1];
    const [ann, bob] = [await newPerson(), await newPerson()];
    let count = 0;
    const act = watch(
      () => notify([ann.id, bob.id], notice, 'fire'),
      (one) => (isTransaction(one) && count++ === 0 ? error : undefined),
    );
    await expect(act).rejects.toBe(error);
    expect((await listed(ann)).total + (await listed(bob)).total).toBe(1);
  });

  it('writes nothing more for a known receipt or an unknown user', async () => {
    const ann = await newPerson();
    const known = failConditions(/ RECEIPT#/);
    const { sent } = await watch(() => notify([ann.id, 1], notice, 'fire'), known);
    expect(sent.filter(isTransaction)).toHaveLength(1);
  });

  it('exceeds the id and time of a writer with a fast clock', async () => {
    const ann = await newPerson();
    await tell(ann);
    const { pk, sk, bell } = items.find((item) => item['bell'] !== undefined) ?? {};
    const newestAt = '2026-11-21T12:00:30.000Z';
    const newestId = Number.MAX_SAFE_INTEGER - 1;
    items.change(String(pk), String(sk), { bell: { ...(bell as object), newestId, newestAt } });
    await tell(ann);
    const newest = items.find(({ id }) => id === Number.MAX_SAFE_INTEGER);
    expect(newest).toMatchObject({ createdAt: newestAt });
  });
});

describe('PUT /api/notifications/read-all', () => {
  it('returns 200 if nothing is unread or the first response was lost', async () => {
    const ann = await newPerson();
    const { result } = await watch(
      () => markAllRead(ann),
      ({ name }) => (name === 'Update' ? conditionFailed({}) : undefined),
    );
    expect(result.status).toBe(200);
  });
});
