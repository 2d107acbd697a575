import { beforeEach, describe, expect, it, vi } from 'vitest';
import { conditionFailed } from '../../support/aws/errors.ts';
import { type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { newPerson, type Person } from '../../support/users/test-users.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-20T12:00:00Z');
const { watch, items } = useMockedService();
const dayMs = 86_400_000;

let ann: Person;
beforeEach(async () => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '2d');
  ann = await newPerson();
  expect((await checkIn()).status).toBe(200);
  pass(dayMs);
  return () => void vi.unstubAllEnvs();
});

const checkIn = () => call('POST /api/checkin', { token: ann.token });
const stored = () => items.find(({ streak }) => streak !== undefined) ?? {};
const isCheckin = ({ name, input }: Sent): boolean =>
  name === 'Update' && ':writeId' in input.ExpressionAttributeValues;
/** Fails the condition of the first write, or of all: it meets the stored item with these fields. */
const meet = (fields: (values: Record<string, unknown>) => object, times = 99) => {
  let count = 0;
  return (one: Sent) =>
    isCheckin(one) && count++ < times
      ? conditionFailed({ ...stored(), ...fields(one.input.ExpressionAttributeValues) })
      : undefined;
};
const updates = (sent: readonly Sent[]) => sent.filter(isCheckin).length;

describe('POST /api/checkin', () => {
  it('awards once and succeeds if the response of the write is lost', async () => {
    const { result, sent } = await watch(
      checkIn,
      meet((values) => ({
        total: values[':total'],
        streak: values[':streak'],
        lastDay: values[':today'],
        history: values[':history'],
        writeId: values[':writeId'],
      })),
    );
    expect([result.status, result.body.streak, updates(sent)]).toEqual([200, 2, 1]);
  });

  it('returns 409 with the current totals after a concurrent check-in', async () => {
    const lastDay = new Date().toISOString().slice(0, 10);
    const { result, sent } = await watch(
      checkIn,
      meet(() => ({ total: 140, streak: 5, lastDay, writeId: 'another' })),
    );
    expect(result).toMatchObject({ status: 409, body: { points: 0, totalPoints: 140, streak: 5 } });
    expect(updates(sent)).toBe(1);
  });

  it('retries with the stored item after a concurrent change', async () => {
    const { result } = await watch(
      checkIn,
      meet(() => ({ total: 120, writeId: 'a late one of yesterday' }), 1),
    );
    expect(result.body.totalPoints).toBe(120 + result.body.points);
  });

  it('returns 503 if the item keeps changing', async () => {
    const { result } = await watch(
      checkIn,
      meet(() => ({ writeId: 'another' })),
    );
    expect([result.status, result.headers['retry-after']]).toEqual([503, '1']);
  });
});
