import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { User } from '../../../shared/auth/user.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { haveWords, tokenize, tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import fc from '../../support/run/properties.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail, newInvited, newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { viewer } = usePeople({
  viewer: () => newUserOf('admin', { name: 'The Viewer', email: 'viewer@views.test' }),
});
const list = (query: Readonly<Record<string, string>>) =>
  call('GET /api/users', { token: viewer.token, query });
const found = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
  const { data } = (await list({ pageSize: '100', ...query })).body;
  return data.items.map(({ name }: User) => name);
};

/** Letters and digits of several scripts, small and large, one UTF-16 unit and two, whole and composed. */
const letter = fc.constantFrom(
  ...'aZé9ßẞıİſΐևяЯ中٣𝟘Σσς',
  ...['e\u0301', '𐐀', 'हि', 'ที่', 'שָׁ', 'ệ', 'e\u0302\u0323', 'ﬁ', 'か\u3099'],
);
const separator = fc.constantFrom(' ', '.', '-', '_', '@', '+', '\u00a0', '👋', '—', '#', '\n');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 });

const startsSome = (words: readonly string[], start: string) =>
  words.some((one) => one.startsWith(start));

describe('tokenize', () => {
  it.each([
    ['Ann-Marie O’Brien', ['ann', 'marie', 'o', 'brien']],
    ['ann.b+news@mail.example.com', ['ann', 'b', 'news', 'mail', 'example', 'com']],
    ['Émile', ['emile']],
    ['E\u0301mile', ['emile']],
    ['STRAßE STRASSE STRAẞE', ['strasse']],
    ['İstanbul ISTANBUL I\u0307STANBUL ıstanbul', ['istanbul']],
    ['ﬁnal ﬀ Ǆ', ['final', 'ff', 'dz']],
    ['Հայ և ԵՒ', ['հայ', 'եւ']],
    ['ᾳ ΑΙ Ϊ\u0301 ΐ', ['αι', 'ι']],
    ['हिन्दी समाचार', ['हिन्दी', 'समाचार']],
    ['ที่นี่ น้ำ', ['ที่นี่', 'น้ำ'.normalize('NFKC')]],
    ['שָׁלוֹם مُحَمَّد', ['שלום', 'محمد']],
    ['Nguye\u0302\u0303n Nguyễn', ['nguyen']],
    ['Müller MÜLLER Mu\u0308ller muller', ['muller']],
    [
      'Søren Łódź Đorđe Æsir Œuvre Þór Guðrún',
      ['soren', 'lodz', 'dorde', 'aesir', 'oeuvre', 'thor', 'gudrun'],
    ],
    ['Ёлка йод', ['елка', 'иод']],
    ['か\u3099くせい ｶﾞ', ['がく', 'くせ', 'せい', 'い', 'ガ']],
    // A conjunct has a joiner in it, a word at the end of a line a soft hyphen.
    ['ශ්\u200dරී می\u200cخواهم Donau\u00adschiff', ['ශ්රී', 'میخواهم', 'donauschiff']],
    // The mark stands on no letter.
    ['❤\ufe0fheart \u0301a ´b', ['heart', 'a', 'b']],
    ['中文 名字', ['中文', '文', '名字', '字']],
    ['東京都庁', ['東京', '京都', '都庁', '庁']],
    ['스마트폰 요금', ['스마', '마트', '트폰', '폰', '요금', '금']],
    ['ケーキ レシピー', ['ケー', 'ーキ', 'キ', 'レシ', 'シピ', 'ピー', 'ー']],
    ['𠮷野家', ['𠮷野', '野家', '家']],
    ['iPhone用ケース第3回', ['iphone', '用ケ', 'ケー', 'ース', 'ス第', '第', '3', '回']],
    ['人人人', ['人人', '人']],
    ['a👋b🏳️‍🌈c', ['a', 'b', 'c']],
    ['x_1 x-1 x1', ['x', '1', 'x1']],
    ['ΟΔΟΣ', ['οδοσ']],
    ['Ａｎｎ', ['ann']],
    ['٣ 3', ['٣', '3']],
    [' — 👋 ', []],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(tokenize(text)).toEqual(words);
  });

  it('returns the distinct words of all texts', () => {
    expect(tokenize('Ann Example', 'ann', 'ann@example.com')).toEqual(['ann', 'example', 'com']);
  });

  it('returns no more and no longer words than a transaction and a key allow', () => {
    const many = tokenize(Array.from({ length: 200 }, (_, at) => `w${at}`).join(' '));
    expect(many).toHaveLength(40);
    for (const text of ['㍿㌖', '𠀀', 'x', 'é'].map((unit) => unit.repeat(100))) {
      for (const one of tokenize(text)) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(1_000);
    }
  });
});

describe('tokenizeQuery', () => {
  it.each([
    ['京', ['京']],
    ['東京都', ['東京', '京都']],
    ['用ケース iphone', ['iphone', '用ケ', 'ケー', 'ース']],
  ])('splits %j into %j', (search, words) => {
    expect(tokenizeQuery(search)).toEqual(words);
  });

  it('finds any part of a text in Chinese, Japanese or Korean', () => {
    const character = fc.constantFrom(...'東京都庁𠮷ケーきが스마3aé');
    const text = fc.array(character, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (all, from, length) => {
        const start = from % all.length;
        const part = all.slice(start, start + 1 + (length % 4)).join('');
        // Of words in other scripts, the start is found.
        const isStart = !/[a-zé3]/.test(part[0] ?? '') || !/[a-zé3]/.test(all[start - 1] ?? '');
        fc.pre(isStart);
        expect(haveWords([all.join('')], tokenizeQuery(part))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('returns up to ten distinct words, longest first', () => {
    expect(tokenizeQuery('a bbb CC bbb')).toEqual(['bbb', 'cc', 'a']);
    expect(tokenizeQuery('a b c d e f g h i j k l')).toHaveLength(10);
    expect(tokenizeQuery(' .,- ')).toEqual([]);
  });

  it('matches stored words by prefix, regardless of case and separators', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        separator,
        separator,
        fc.nat(),
        fc.boolean(),
        (parts, between, around, cut, isLarge) => {
          const stored = tokenize(parts.join(between));
          const whole = tokenize(parts[cut % parts.length] ?? '')[0] ?? '';
          const start = [...whole].slice(0, 1 + (cut % [...whole].length)).join('');
          const typed = isLarge ? start.toUpperCase() : start;
          for (const asked of tokenizeQuery(`${around}${typed}${around}`)) {
            expect(startsSome(stored, asked)).toBe(true);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('returns only letters, marks and digits, and reads its words as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const words = tokenize(text);
        for (const one of words) expect(one).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*$/u);
        expect(words.every((one) => tokenizeQuery(one).join() === one)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('ignores composition and case', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (parts) => {
        const text = parts.join(' ');
        for (const other of [
          text.normalize('NFD'),
          text.normalize('NFC'),
          text.normalize('NFKD'),
          text.toUpperCase(),
          text.toLowerCase(),
        ]) {
          expect(tokenize(other)).toEqual(tokenize(text));
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('a search', () => {
  it('follows changes of names, usernames and addresses, and removals', async () => {
    const { id } = await newInvited({ name: 'Zoe Quill', role: 'guest', username: 'zq-one' });
    const params = { id: String(id) };
    const { token } = await newUserOf('super_admin');
    const change = (body: unknown) => call('PUT /api/users/{id}', { token, params, body });
    const asked = ['zoe quill', 'zq one', 'yan', 'zq two', 'quince'];
    const hits = async () => {
      const responses = await Promise.all(asked.map((search) => list({ search })));
      return asked.filter((_, at) => responses[at]?.body.data.some((user: User) => user.id === id));
    };
    expect(await hits()).toEqual(['zoe quill', 'zq one']);
    await change({ name: 'Yan Quill' });
    expect(await hits()).toEqual(['zq one', 'yan']);
    await change({ username: 'ZQ-Two' });
    expect(await hits()).toEqual(['yan', 'zq two']);
    await change({ email: `quince-${id}@people.test` });
    expect(await hits()).toEqual(['yan', 'zq two', 'quince']);
    await change({ name: 'YAN QUILL' });
    expect(await found({ search: 'yan' })).toEqual(['YAN QUILL']);
    await removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
    expect(await hits()).toEqual([]);
    expect(await found({ role: 'guest' })).not.toContain('YAN QUILL');
  });

  it('supports names that grow when normalized', async () => {
    for (const unit of ['㌖', 'ﷺ', '𠀀']) {
      const name = unit.repeat(100 / unit.length);
      const body = { email: newEmail(), name, role: 'guest' };
      const { status, body: response } = await call('POST /api/users', {
        token: viewer.token,
        body,
      });
      expect(status).toBe(201);
      expect(await found({ search: name.slice(0, 40) })).toEqual([name]);
      expect((await list({ search: unit.repeat(200 / unit.length) })).status).toBe(200);
      expect(await found({ sort: 'name' })).toContain(name);
      await removeUser(response.data.id, () => undefined, undefined, systemRecorder('user.delete'));
    }
  });
});

describe('more than 1000 matches', () => {
  /** Words of users that there aren't: the page is empty, the count is not. */
  const storeWords = async (
    words: (at: number) => readonly string[],
    from: number,
    count: number,
  ) => {
    const items = Array.from({ length: count }, (_, at) => from + at).flatMap((id) =>
      words(id).map((word) => ({
        ...accountKeys.byWord.at({ word, id }),
        id,
        words: ` ${word}`,
        sortName: '',
      })),
    );
    const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, at) =>
      items.slice(at * 25, at * 25 + 25),
    );
    for (let at = 0; at < batches.length; at += 8) {
      await Promise.all(
        batches.slice(at, at + 8).map((batch) =>
          documentClient().send(
            new BatchWriteCommand({
              RequestItems: { [tableName()]: batch.map((Item) => ({ PutRequest: { Item } })) },
            }),
          ),
        ),
      );
    }
  };
  const totalOf = async (search: string) => {
    const { total, totalIsExact, totalPages, items } = (await list({ search, pageSize: '100' }))
      .body.data;
    return { total, totalIsExact, totalPages, shown: items.length };
  };

  it('are reported as 1000 and not exact; 1000 are exact', async () => {
    await storeWords(() => ['krypton'], 1, 1_000);
    expect(await totalOf('kry')).toEqual({
      total: 1_000,
      totalIsExact: true,
      totalPages: 10,
      shown: 0,
    });
    await storeWords(() => ['krypton'], 2_000, 1);
    expect(await totalOf('kry')).toEqual({
      total: 1_000,
      totalIsExact: false,
      totalPages: 10,
      shown: 0,
    });
  });

  it('count users, not words', async () => {
    await storeWords(() => ['xenon', 'xeric'], 1, 600);
    await storeWords(() => ['xylem'], 3_000, 300);
    expect(await totalOf('x')).toMatchObject({ total: 900, totalIsExact: true });
  });
});
