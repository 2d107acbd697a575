import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '../shared/table.ts';
import { log } from '../shared/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  secretWords,
  sent,
  signedIn,
  told,
} from './support/aws-errors.ts';
import { call } from './support/call.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

beforeEach(() => {
  table.reset();
});

describe('POST /api/share', () => {
  const content = '<h1>Hello</h1>';
  const share = async (body: Record<string, unknown> = {}) => {
    const ann = await signedIn();
    answerReads(table, ann.items);
    return call('POST /api/share', { token: ann.token, body: { content, ...body } });
  };
  const putNew = (Item: unknown) => ({
    Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  it('writes the share, its counter, its place in the list, the total and the content at once', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { status, body } = await share({ title: 'A title', viewLimit: 3 });
    expect(status).toBe(201);
    const { id } = body;
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          putNew({
            pk: `SHARE#${id}`,
            sk: 'SHARE',
            id,
            ownerId: 7,
            language: 'html',
            title: 'A title',
            viewLimit: 3,
            createdAt: aText,
            parts: { source: 1, html: 0 },
          }),
          putNew({ pk: `SHARE#${id}`, sk: 'VIEWS', views: 0, viewLimit: 3 }),
          putNew({
            pk: 'USER#7',
            sk: expect.stringMatching(new RegExp(`^SHARE#\\d{4}-.*Z#${id}$`)),
            id,
          }),
          {
            Update: {
              TableName,
              Key: { pk: 'USER#7', sk: 'SHARES' },
              UpdateExpression: 'ADD shares :delta',
              ExpressionAttributeValues: { ':delta': 1 },
            },
          },
          putNew({ pk: `SHARE#${id}`, sk: 'CONTENT#source#0', data: expect.any(Buffer) }),
        ],
      },
    ]);
    const [input] = sent(table, TransactWriteCommand);
    const stored = input?.TransactItems?.[4]?.Put?.Item?.['data'];
    expect(brotliDecompressSync(stored).toString()).toBe(content);
  });

  it('keeps of a password a salt and a hash, and shows a generated one once', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { body } = await share({ useRandomPassword: true });
    expect(body.password).toMatch(/^[A-Za-z0-9]{6}$/);
    const [input] = sent(table, TransactWriteCommand);
    expect(input?.TransactItems?.[0]?.Put?.Item?.['password']).toEqual({
      salt: expect.any(Buffer),
      hash: expect.any(Buffer),
      cost: 16_384,
    });
    expect(JSON.stringify(input)).not.toContain(body.password);
  });

  it('sends the very same transaction again after conflicts over the total', async () => {
    const conflict = canceled('None', 'None', 'None', 'TransactionConflict', 'None');
    table.on(TransactWriteCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    expect(await share()).toMatchObject({ status: 201 });
    const [first, ...others] = sent(table, TransactWriteCommand);
    expect(others).toEqual([first, first]);
  });

  it('is busy when the conflicts go on', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('None', 'None', 'None', 'TransactionConflict', 'None'));
    expect(told(await share())).toEqual(busy(aText));
    expect(sent(table, TransactWriteCommand).length).toBeLessThanOrEqual(8);
  });

  it.each(errors)('is busy after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await share())).toEqual(busy(aText));
  });
});

describe('GET /api/share?id=', () => {
  const id = 'a-share';
  const stored = {
    ...keys.share(id),
    id,
    ownerId: 7,
    language: 'html',
    viewLimit: 2,
    createdAt: '2026-11-21T12:00:00.000Z',
    parts: { source: 1, html: 0 },
  };
  const counter = { ...keys.shareViews(id), views: 1, viewLimit: 2 };
  const owner = { ...keys.user(7), id: 7, status: 'active' };
  const content = {
    ...keys.shareContent(id, 'source', 0),
    data: brotliCompressSync('<h1>Hello</h1>'),
  };
  const view = () => call('GET /api/share', { query: { id } });
  const shown = (views: number) => ({
    id,
    language: 'html',
    title: null,
    description: null,
    viewLimit: 2,
    views,
    viewsLeft: 2 - views,
    expiresAt: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    protected: false,
    url: 'https://handbill.test/s/a-share',
    content: '<h1>Hello</h1>',
  });
  /** The slot and the id of the claim that is being sent. */
  const claimIn = (input: UpdateCommand['input']) => ({
    slot: input.ExpressionAttributeNames?.['#slot'] ?? '',
    claim: input.ExpressionAttributeValues?.[':claim'],
  });

  beforeEach(() => {
    answerReads(table, [stored, counter, content, owner]);
  });

  it('reads share and counter strongly consistent, in one round trip', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { ...counter, views: 2 } });
    await view();
    expect(sent(table, BatchGetCommand)[0]).toEqual({
      RequestItems: {
        [TableName]: { Keys: [keys.share(id), keys.shareViews(id)], ConsistentRead: true },
      },
    });
  });

  it('claims a view in one of 16 slots of the small item, below the limit only', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { ...counter, views: 2 } });
    expect(await view()).toMatchObject({ status: 200, body: shown(2) });
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key: { pk: 'SHARE#a-share', sk: 'VIEWS' },
        UpdateExpression: 'SET #views = #views + :one, #slot = :claim',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(viewLimit) OR #views < viewLimit) AND (attribute_not_exists(#slot) OR #slot <> :claim)',
        ExpressionAttributeNames: {
          '#views': 'views',
          '#slot': expect.stringMatching(/^claim([0-9]|1[0-5])$/),
        },
        ExpressionAttributeValues: { ':one': 1, ':claim': expect.stringMatching(/^[\w-]{12}$/) },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
  });

  it('spreads claims over the slots, each with an id of its own', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { ...counter, views: 2 } });
    await Promise.all(Array.from({ length: 100 }, view));
    const claims = sent(table, UpdateCommand).map(claimIn);
    expect(new Set(claims.map(({ claim }) => claim)).size).toBe(100);
    expect(new Set(claims.map(({ slot }) => slot)).size).toBeGreaterThanOrEqual(12);
  });

  it('serves the view whose answer was lost, and counts it once', async () => {
    table.on(UpdateCommand).callsFake(async (input: UpdateCommand['input']) => {
      const { slot, claim } = claimIn(input);
      throw conditionFailed({ ...counter, views: 2, [slot]: claim });
    });
    const { status, body } = await view();
    expect({ status, body }).toEqual({ status: 200, body: shown(2) });
    expect(sent(table, UpdateCommand)).toHaveLength(1);
  });

  it('serves it also when another claim came in between, in another slot', async () => {
    table.on(UpdateCommand).callsFake(async (input: UpdateCommand['input']) => {
      const { slot, claim } = claimIn(input);
      const other = slot === 'claim0' ? 'claim1' : 'claim0';
      throw conditionFailed({ ...counter, views: 2, [slot]: claim, [other]: 'of-another' });
    });
    const { status, body } = await view();
    expect({ status, body }).toEqual({ status: 200, body: shown(2) });
  });

  it('is gone when the last view went to another claim, also one in the same slot', async () => {
    table.on(UpdateCommand).callsFake(async (input: UpdateCommand['input']) => {
      throw conditionFailed({ ...counter, views: 2, [claimIn(input).slot]: 'of-another' });
    });
    expect(told(await view())).toEqual({
      status: 410,
      retryAfter: undefined,
      body: {
        success: false,
        error: {
          code: 'GONE',
          message: 'This share has ended',
          details: [],
          requestId: aText,
        },
      },
    });
  });

  it('is not found when the share was deleted after it was read', async () => {
    table.on(UpdateCommand).rejects(conditionFailed());
    expect(await view()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  it('sends no claim for a share whose views are used up', async () => {
    answerReads(table, [stored, { ...counter, views: 2 }, content, owner]);
    expect(await view()).toMatchObject({ status: 410, body: { error: { code: 'GONE' } } });
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it.each(errors)('is busy when the claim ends in %s', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(told(await view())).toEqual(busy(aText));
  });

  it.each(errors)('is busy when the read ends in %s, and claims nothing', async (_, error) => {
    table.on(BatchGetCommand).rejects(error);
    expect(told(await view())).toEqual(busy(aText));
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it('neither tells nor logs what AWS says of a missing grant', async () => {
    const logged = vi.spyOn(log(), 'error');
    table.on(UpdateCommand).rejects(accessDenied());
    const answer = await call('GET /api/share', { query: { id, password: 'aB3dE6' } });
    expect(told(answer)).toEqual(broken(aText));
    expect(logged.mock.calls.filter(([message]) => message === 'Request failed')).toHaveLength(1);
    const text = JSON.stringify([answer, logged.mock.calls]);
    for (const word of [...secretWords, 'aB3dE6']) expect(text).not.toContain(word);
  });
});

it('uses up no view for an answer without the content', async () => {
  const id = 'a-share';
  const stored = {
    ...keys.share(id),
    id,
    ownerId: 7,
    language: 'html',
    viewLimit: 2,
    createdAt: '2026-11-21T12:00:00.000Z',
    parts: { source: 1, html: 0 },
  };
  const counter = { ...keys.shareViews(id), views: 1, viewLimit: 2 };
  const [[, throttled] = ['', new Error()]] = passingErrors();
  table
    .on(BatchGetCommand)
    .resolvesOnce({ Responses: { 'handbill-test': [stored, counter] } })
    .resolvesOnce({ Responses: { 'handbill-test': [{ ...keys.user(7), status: 'active' }] } })
    .rejects(throttled);
  table.on(UpdateCommand).resolves({ Attributes: { ...counter, views: 2 } });
  expect(await call('GET /api/share', { query: { id } })).toMatchObject({ status: 503 });
  expect(sent(table, UpdateCommand)).toEqual([]);
});
