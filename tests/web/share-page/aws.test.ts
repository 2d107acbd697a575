import { brotliCompressSync } from 'node:zlib';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { hashPassword } from '../../../functions/api/share/record/share-password.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  accessDenied,
  answerReads,
  conditionFailed,
  mockTable,
  passingErrors,
  secretWords,
  sent,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

const table = mockTable();
const TableName = 'handbill-test';
const id = 'mZ3kP0cWbq7x1VvH9sTt2A';
const createdAt = '2026-11-21T12:00:00.000Z';

const share = (language: 'html' | 'markdown') => ({
  ...shareKeys.record.at({ id }),
  ...{ id, language, ownerId: 7, createdAt, updatedAt: createdAt, version: 1 },
  texts: {
    id: 'texts',
    place: 'table',
    parts: [
      { name: 'source', bytes: 10 },
      { name: 'page', bytes: 19 },
    ],
  },
});
const gate = { ...shareKeys.access.at({ id }), views: 0, recentViewIds: [] };
const texts = {
  ...shareKeys.content.at({ id }),
  id: 'texts',
  packed: brotliCompressSync('The source<p>The fragment</p>'),
};
const owner = { ...userKeys.record.at({ id: 7 }), id: 7, name: 'Ann Example', status: 'active' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const pages = {
  'the page': () => call('GET /s/{id}', { params: { id } }),
  'the raw text': () => call('GET /s/{id}/raw', { params: { id } }),
  'the frame': () => call('GET /{id}', { params: { id } }),
  'its opening': () => call('POST /s/{id}/open', { params: { id }, body: '', headers: form }),
} as const;
const names = Object.keys(pages) as (keyof typeof pages)[];

const readKeys = () =>
  sent(table, BatchGetCommand).map(({ RequestItems }) => RequestItems?.[TableName]?.Keys);

beforeEach(() => {
  table.reset();
});

describe.each(names)('%s', (name) => {
  beforeEach(() => {
    answerReads(table, [share(name === 'the frame' ? 'html' : 'markdown'), gate, texts, owner]);
  });

  it('reads the owner separately and strongly consistent', async () => {
    await pages[name]();
    expect(readKeys()).toContainEqual([userKeys.record.at({ id: 7 })]);
    for (const { RequestItems } of sent(table, BatchGetCommand)) {
      expect(RequestItems?.[TableName]).toMatchObject({ ConsistentRead: true });
    }
  });

  it.each([
    ...passingErrors().map(([error, thrown]) => [error, thrown, 503] as const),
    ['AccessDenied', accessDenied(), 500] as const,
  ])(
    'shows an error page without content if the owner can’t be read: %s',
    async (_, thrown, status) => {
      table.on(BatchGetCommand).callsFake(async ({ RequestItems }: BatchGetCommandInput) => {
        const [first] = RequestItems?.[TableName]?.Keys ?? [];
        if (first?.['sk'] === 'USER') throw thrown;
        return { Responses: { [TableName]: [share('markdown'), gate] } };
      });
      const response = await pages[name]();
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({
        'content-type': `text/${name === 'the raw text' ? 'plain' : 'html'}; charset=utf-8`,
        'cache-control': 'no-store',
        ...(status === 503 && { 'retry-after': '1' }),
      });
      for (const word of [...secretWords, 'The source', 'The fragment', 'Ann']) {
        expect(response.body).not.toContain(word);
      }
    },
  );
});

describe('GET /s/{id}', () => {
  it('reads a small share in two round trips and shows it even if its view can’t be counted', async () => {
    answerReads(table, [share('markdown'), gate, texts, owner]);
    const { status, body } = await pages['the page']();
    expect(status).toBe(200);
    expect(body).toContain('<p>The fragment</p>');
    expect(readKeys()).toEqual([[userKeys.record.at({ id: 7 })]]);
    expect(sent(table, QueryCommand)).toMatchObject([
      {
        ExpressionAttributeValues: { ':pk': shareKeys.record.partition({ id }).pk },
        ConsistentRead: true,
        Limit: 3,
      },
    ]);
    expect(table.calls()).toHaveLength(2);
  });
});

describe('POST /s/{id}/open', () => {
  const open = (password: string) =>
    call('POST /s/{id}/open', { params: { id }, body: `password=${password}`, headers: form });

  it('asks again after an incorrect password, in two round trips', async () => {
    const locked = { ...share('html'), password: await hashPassword('Abc123') };
    answerReads(table, [locked, { ...gate, passwordId: locked.password.id }, texts, owner]);
    const { status, body } = await open('wrong1');
    expect([status, body.includes('name="password"')]).toEqual([401, true]);
    expect(readKeys()).toEqual([
      [shareKeys.record.at({ id }), shareKeys.access.at({ id })],
      [userKeys.record.at({ id: 7 })],
    ]);
  });

  it('asks for a password that was set concurrently', async () => {
    const limited = { ...share('html'), viewLimit: 5 };
    const locked = { ...limited, password: await hashPassword('Abc123') };
    const lockedGate = { ...gate, viewsBeforeLast: 4, passwordId: locked.password.id };
    answerReads(table, [limited, { ...gate, viewsBeforeLast: 4 }, texts, owner]);
    table.on(UpdateCommand, { Key: shareKeys.access.at({ id }) }).callsFake(() => {
      answerReads(table, [locked, lockedGate, texts, owner]);
      throw conditionFailed(lockedGate);
    });
    const { status, body } = await open('Abc123');
    expect([status, body.includes('name="password"')]).toEqual([401, true]);
  });
});

describe('POST /s/{id}/report', () => {
  it.each(passingErrors())('shows the page for temporary errors: %s', async (_, thrown) => {
    answerReads(table, [share('markdown'), gate, texts, owner]);
    table.on(TransactWriteCommand).rejects(thrown);
    const body = 'reason=It+is+spam';
    const response = await call('POST /s/{id}/report', { params: { id }, body, headers: form });
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    expect(response.body).toContain('Temporarily unavailable');
  });
});
