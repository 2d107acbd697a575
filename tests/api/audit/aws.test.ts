import { BatchGetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { auditKeys } from '../../../shared/audit/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  mockTable,
  passingErrors,
  type SignedIn,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

let root: SignedIn;
beforeEach(async () => {
  table.reset();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
  root = await signedIn({ role: 'super_admin' });
  answerReads(table, root.items);
  table.on(QueryCommand).resolves({ Items: [], Count: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const list = (query: Record<string, string>) =>
  call('GET /api/audit', { token: root.token, query });

/** The queries of the page; those that count ask for a count only. */
const pageQueries = () => sent(table, QueryCommand).filter(({ Select }) => Select === undefined);

const query = (fields: Partial<QueryCommandInput>, pk: string, from: string): unknown => ({
  TableName,
  KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
  ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
  // One minute ahead of this clock.
  ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': '2026-11-21T12:01:00.000Z' },
  ScanIndexForward: false,
  Limit: 11,
  ExclusiveStartKey: undefined,
  ...fields,
});

describe('GET /api/audit', () => {
  const kept = '2025-11-21T12:00:00.000Z';

  it('queries the entries about a subject with strong consistency and counts up to 1001', async () => {
    expect(await list({ subject: 'user:7' })).toMatchObject({ status: 200 });
    const { ConsistentRead } = { ConsistentRead: true };
    expect(pageQueries()).toEqual([query({ ConsistentRead }, 'AUDIT#SUBJECT#user:7', kept)]);
    expect(sent(table, QueryCommand).filter(({ Select }) => Select === 'COUNT')).toMatchObject([
      { Limit: 1_001, ConsistentRead },
    ]);
  });

  it('queries the index for the entries of an actor', async () => {
    expect(await list({ actor: '7' })).toMatchObject({ status: 200 });
    const ofIndex = { '#pk': 'gsi1pk', '#sk': 'gsi1sk' };
    expect(pageQueries()).toEqual([
      query({ IndexName: 'gsi1', ExpressionAttributeNames: ofIndex }, 'AUDIT#ACTOR#7', kept),
    ]);
  });

  it('goes back month by month until a page is full', async () => {
    vi.stubEnv('AUDIT_KEEP', '70d');
    const item = (at: string, id: string) => ({
      ...auditKeys.entry.at({ at, id }),
      ...{ id, at, action: 'thing.done', subject: 'thing:1', address: '', requestId: '' },
    });
    const october = [item('2026-10-02T00:00:00.000Z', 'b'), item('2026-10-01T00:00:00.000Z', 'a')];
    table
      .on(QueryCommand, { ExpressionAttributeValues: { ':pk': 'AUDIT#2026-10' } }, false)
      .callsFake(({ Select, Limit }) =>
        Select ? { Count: 2 } : { Items: october.slice(0, Limit) },
      );
    const { body } = await list({ pageSize: '1' });
    expect(body.data.items).toMatchObject([{ id: 'b' }]);
    const asked = pageQueries().map(({ ExpressionAttributeValues: values, Limit }) => [
      values?.[':pk'],
      Limit,
    ]);
    expect(asked).toEqual([
      ['AUDIT#2026-11', 2],
      ['AUDIT#2026-10', 2],
    ]);
    table.resetHistory();
    await list({ pageSize: '1', cursor: body.data.nextCursor });
    expect(pageQueries().map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([
      auditKeys.entry.at({ at: '2026-10-02T00:00:00.000Z', id: 'b' }),
    ]);
  });

  it('reads each actor of a page only once', async () => {
    const item = (id: string) => ({
      ...auditKeys.bySubject.at({ subject: 'thing:1', at: '2026-11-20T00:00:00.000Z', id }),
      ...{ id, at: '2026-11-20T00:00:00.000Z', action: 'thing.done', subject: 'thing:1' },
      ...{ address: '', requestId: '', actorId: 7 },
    });
    table.on(QueryCommand).resolves({ Items: [item('b'), item('a')], Count: 2 });
    const { body } = await list({ subject: 'thing:1' });
    const actor = { id: 7, name: 'Ann Example' };
    expect(body.data.items).toMatchObject([{ actor }, { actor }]);
    expect(sent(table, BatchGetCommand)[1]?.RequestItems?.[TableName]?.Keys).toEqual([
      userKeys.record.at({ id: 7 }),
    ]);
  });

  it.each(errors)('returns 503 if a query fails with %s', async (_, error) => {
    table.on(QueryCommand).rejects(error);
    for (const filter of [{}, { actor: '7' }, { subject: 'user:7' }]) {
      expect(told(await list(filter))).toEqual(busy(aText));
    }
  });

  it('returns 500 for a missing grant', async () => {
    table.on(QueryCommand).rejects(accessDenied());
    expect(told(await list({}))).toEqual(broken(aText));
  });
});
