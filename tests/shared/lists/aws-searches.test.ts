import { BatchGetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';

import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { answerReads, mockTable, type SignedIn, sent, signedIn } from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

const table = mockTable();
const TableName = 'handbill-test';

let root: SignedIn;
beforeEach(async () => {
  table.reset();
  root = await signedIn({ role: 'super_admin' });
  answerReads(table, root.items);
  table.on(QueryCommand).resolves({ Items: [], ScannedCount: 0 });
});

type Place = ReturnType<typeof place>;
const place = (word: string, id: number, words = ` ${word}`) => ({
  ...accountKeys.byWord.at({ word, id }),
  id,
  sortName: `${id}\u0000`,
  words,
});

/** Lets the table hold these places, and answer as many as it is asked for. */
const hold = (places: readonly Place[]): void => {
  const backward = places.toSorted((a, b) => (a.sk < b.sk ? 1 : -1));
  table.on(QueryCommand).callsFake(async (query: QueryCommandInput) => {
    const { Limit = 0, ExclusiveStartKey: start, ExpressionAttributeValues: values } = query;
    const before = String(start?.['sk'] ?? '~');
    const all = backward.filter(
      ({ pk, sk }) =>
        pk === values?.[':pk'] && sk >= values?.[':from'] && sk <= values?.[':to'] && sk < before,
    );
    const read = all.slice(0, Limit);
    const last = read.at(-1);
    const others = Object.keys(values ?? {}).filter((name) => name.startsWith(':other'));
    return {
      Items: read.filter(({ words }) => others.every((name) => words.includes(values?.[name]))),
      ScannedCount: read.length,
      ...(last && all.length > Limit && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }),
    };
  });
};

const search = (query: Record<string, string>) =>
  call('GET /api/users', { token: root.token, query: { pageSize: '10', ...query } });

const countsOf = ({ body }: Awaited<ReturnType<typeof search>>) => {
  const { total, totalIsExact } = body.data;
  return { total, totalIsExact };
};

/** What each query reads: from which word on, up to which, behind which key. */
const asked = () =>
  sent(table, QueryCommand).map(
    ({ Limit, ExclusiveStartKey, ExpressionAttributeValues: values }) => ({
      Limit,
      to: values?.[':to'],
      behind: ExclusiveStartKey?.['sk'],
    }),
  );

const many = (word: string, count: number, firstId = 1) =>
  Array.from({ length: count }, (_, at) => place(word, firstId + at));

describe('a search', () => {
  it('continues with the previous word after one with more matches than can be shown', async () => {
    hold([...many('plan', 5_000), ...many('plankton', 300, 6_000), ...many('plane', 2, 7_000)]);
    const response = await search({ search: 'plan' });
    expect(countsOf(response)).toEqual({ total: 1_000, totalIsExact: false });
    const id = (at: number) => String(at).padStart(16, '0');
    expect(asked()).toEqual([
      { Limit: 1_001, to: 'plan\u{10ffff}', behind: undefined },
      { Limit: 1_001, to: 'plan\u{10ffff}', behind: `plan#${id(4_302)}` },
      { Limit: 1_001, to: 'plan#', behind: undefined },
    ]);
  });

  it('reads all matches of a word by name, up to 20,000', async () => {
    hold(many('plan', 25_000));
    const response = await search({ search: 'plan', sort: 'name' });
    expect(countsOf(response)).toEqual({ total: 1_000, totalIsExact: false });
    expect(asked()).toHaveLength(10);
    expect(new Set(asked().map(({ Limit }) => Limit))).toEqual(new Set([2_000]));
  });

  it('stops after 20,000 words and reports that the total is not exact', async () => {
    // Each user has many words that begin so.
    hold(Array.from({ length: 25_000 }, (_, at) => place(`w${1e5 + at}`, at % 500)));
    const response = await search({ search: 'w' });
    expect(countsOf(response)).toEqual({ total: 500, totalIsExact: false });
    expect(asked()).toHaveLength(20);
  });

  describe('for several words', () => {
    /** So many with addresses of one domain; the first of them have names of their own. */
    const crowd = (count: number, name = (_: number) => 'x') =>
      Array.from({ length: count }, (_, at) => {
        const words = ` ${name(at)} example`;
        return [place(name(at), at + 1, words), place('example', at + 1, words)];
      }).flat();
    const ids = ({ body }: Awaited<ReturnType<typeof search>>) =>
      sent(table, BatchGetCommand)
        .flatMap(({ RequestItems }) => RequestItems?.[TableName]?.Keys ?? [])
        .map(({ pk }) => pk)
        .filter((pk) => pk !== 'USER#7' && body.data);

    it('uses a rare word if the longest is frequent', async () => {
      hold(crowd(25_000, (at) => (at < 3 ? 'bob' : 'x')));
      const response = await search({ search: 'bob@example' });
      expect(countsOf(response)).toEqual({ total: 3, totalIsExact: true });
      expect(ids(response)).toEqual(['USER#3', 'USER#2', 'USER#1']);
      // One look at the longest, one at the other.
      expect(asked().map(({ to }) => to)).toEqual(['example\u{10ffff}', 'bob\u{10ffff}']);
    });

    it('uses the word with the most fitting entries if all are frequent', async () => {
      hold(crowd(25_000, (at) => (at < 1_100 ? 'bob' : 'x')));
      const response = await search({ search: 'bob@example' });
      expect(countsOf(response)).toEqual({ total: 1_000, totalIsExact: false });
      const newest = Array.from({ length: 10 }, (_, at) => `USER#${1_100 - at}`);
      expect(ids(response)).toEqual(newest);
    });

    it('uses the longest if equally many entries fit', async () => {
      hold(crowd(25_000, (at) => (at % 20 === 0 ? 'bob' : 'bo')));
      const response = await search({ search: 'bo example' });
      expect(countsOf(response)).toEqual({ total: 1_000, totalIsExact: false });
      expect(asked().map(({ to }) => String(to).replace(/\W.*/, ''))).toEqual([
        'example',
        'bo',
        'example',
        'example',
      ]);
    });
  });
});
