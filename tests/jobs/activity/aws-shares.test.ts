import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
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

  it('add the view ids of their messages, with one write per share', async () => {
    const all = [...viewed, message('3', { share: 'abc' }), message('4', { share: 'def' })];
    await deliver(all);
    await deliver(all);
    const updates = counting();
    expect(updates).toHaveLength(4);
    expect(updates[0]).toMatchObject({
      Key: shareKeys.access.at({ id: 'abc' }),
      UpdateExpression: expect.stringContaining(
        '#views = #views + :count, firstViewedAt = if_not_exists(firstViewedAt, :now), lastViewedAt = :now, recentViewIds[0] = :viewId0, recentViewIds[1] = :viewId1, recentViewIds[2] = recentViewIds[0],',
      ),
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(viewsBeforeLast) AND NOT contains(recentViewIds, :viewId0) AND NOT contains(recentViewIds, :viewId1)',
      ExpressionAttributeValues: {
        ':count': 2,
        ':now': now,
        ':viewId0': expect.stringMatching(/^[\w-]{8}$/),
        ':viewId1': expect.stringMatching(/^[\w-]{8}$/),
      },
    });
    expect(updates[1]?.Key).toEqual(shareKeys.access.at({ id: 'def' }));
    expect(updates[2]?.ExpressionAttributeValues).toEqual(updates[0]?.ExpressionAttributeValues);
  });

  it('are limited to twenty per write', async () => {
    const many = Array.from({ length: 45 }, (_, n) => message(`many-${n}`, { share: 'abc' }));
    expect(await deliver(many)).toEqual([]);
    const counts = counting().map((one) => one.ExpressionAttributeValues?.[':count']);
    expect(counts).toEqual([20, 20, 5]);
    const longest = Math.max(...counting().map((one) => String(one.UpdateExpression).length));
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
    expect(longest).toBeLessThan(4_096);
  });

  it('skip known view ids', async () => {
    const three = [...viewed, message('3', { share: 'abc' })];
    table
      .on(UpdateCommand)
      .callsFakeOnce(async ({ ExpressionAttributeValues: values }) => {
        throw conditionFailed({ views: 1, links: {}, recentViewIds: [values[':viewId0']] });
      })
      .resolves({});
    expect(await deliver(three)).toEqual([]);
    const [first, again, ...others] = counting();
    expect(others).toEqual([]);
    expect(again?.ExpressionAttributeValues).toEqual({
      ':count': 1,
      ':now': now,
      ':viewId0': first?.ExpressionAttributeValues?.[':viewId1'],
    });
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

  it.each(passingErrors())('are redelivered without the others after %s', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(await deliver(viewed)).toEqual([0]);
    const [[visitor] = []] = sent(table, TransactWriteCommand).map(
      (one) => one.TransactItems ?? [],
    );
    expect(visitor?.Put?.Item).toMatchObject({ ...ann, names: names('2') });
  });
});
