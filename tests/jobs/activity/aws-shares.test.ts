import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitKeys } from '../../../functions/jobs/activity/keys.ts';
import { toEventName } from '../../../functions/jobs/activity/visitors.ts';
import {
  answerReads,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
} from '../../support/aws/errors.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';

const table = mockTable();
const now = '2026-11-21T12:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  table.on(TransactWriteCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  answerReads(table, []);
});
afterEach(() => void vi.useRealTimers());

const message = (id: string, fields: Partial<Told['data']> = {}): Told => ({
  id,
  data: { at: now, visitor: 'ann', counts: ['views'], ...fields },
});

describe('aggregated share views', () => {
  const viewed = [message('1', { share: 'abc' }), message('2')];
  const counting = () => sent(table, UpdateCommand);

  it('are limited to twenty per write', async () => {
    const many = Array.from({ length: 45 }, (_, n) => message(`many-${n}`, { share: 'abc' }));
    expect(await deliver(many)).toEqual([]);
    const counts = counting().map((one) => one.ExpressionAttributeValues?.[':count']);
    expect(counts).toEqual([20, 20, 5]);
    const longest = Math.max(...counting().map((one) => String(one.UpdateExpression).length));
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
    expect(longest).toBeLessThan(4_096);
  });

  it('are skipped for a deleted or limited share and for known view ids', async () => {
    for (const item of [
      undefined,
      { views: 1, links: {}, viewsBeforeLast: 3, recentViewIds: ['-'] },
    ]) {
      table.on(UpdateCommand).rejects(conditionFailed(item));
      expect(await deliver(viewed)).toEqual([]);
    }
    table.on(UpdateCommand).callsFake(async ({ ExpressionAttributeValues: values }) => {
      throw conditionFailed({ views: 1, links: {}, recentViewIds: [values[':viewId0']] });
    });
    expect(await deliver(viewed)).toEqual([]);
    expect(counting()).toHaveLength(3);
  });

  const names = (...ids: readonly string[]) => Buffer.from(ids.map(toEventName).join(''), 'hex');
  const ann = visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' });

  it('are skipped if the visitor lists them, whatever the access item stores', async () => {
    const halfHours = '1'.repeat(48);
    answerReads(table, [{ ...ann, halfHours, names: names('1', '2') }]);
    expect(await deliver(viewed)).toEqual([]);
    expect(counting()).toEqual([]);
  });

  it('are redelivered without the others if they fail', async () => {
    table.on(UpdateCommand).rejects(passingErrors()[0]?.[1]);
    expect(await deliver(viewed)).toEqual([0]);
    const [[visitor] = []] = sent(table, TransactWriteCommand).map(
      (one) => one.TransactItems ?? [],
    );
    expect(visitor?.Put?.Item).toMatchObject({ ...ann, names: names('2') });
  });
});
