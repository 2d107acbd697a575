import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf, wordsOfSearch } from '../shared/words.ts';

/** Letters and digits of several scripts, small and large, one UTF-16 unit and two, whole and composed. */
const letter = fc.constantFrom(...'aZé9ßяЯ中٣𝟘Σσς', 'e\u0301', '𐐀');
const separator = fc.constantFrom(' ', '.', '-', '_', '@', '+', '\u00a0', '👋', '—', '#', '\n');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 });

const startsSome = (words: readonly string[], start: string) =>
  words.some((one) => one.startsWith(start));

describe('the words of a text', () => {
  it.each([
    ['Ann-Marie O’Brien', ['ann', 'marie', 'o', 'brien']],
    ['ann.b+news@mail.example.com', ['ann', 'b', 'news', 'mail', 'example', 'com']],
    ['Émile STRAßE', ['émile', 'straße']],
    ['E\u0301mile', ['émile']],
    ['中文 名字', ['中文', '名字']],
    ['a👋b🏳️‍🌈c', ['a', 'b', 'c']],
    ['x_1 x-1 x1', ['x', '1', 'x1']],
    ['ΟΔΟΣ', ['οδοσ']],
    ['Ａｎｎ', ['ann']],
    ['٣ 3', ['٣', '3']],
    [' — 👋 ', []],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are those of all texts, each once', () => {
    expect(wordsOf('Ann Example', 'ann', 'ann@example.com')).toEqual(['ann', 'example', 'com']);
  });

  it('are as many and as long as one transaction and one key can hold', () => {
    const many = wordsOf(Array.from({ length: 200 }, (_, at) => `w${at}`).join(' '));
    expect(many).toHaveLength(40);
    for (const text of ['㍿㌖', '𠀀', 'x', 'é'].map((unit) => unit.repeat(100))) {
      for (const one of wordsOf(text)) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(1_000);
    }
  });
});

describe('the words of a search', () => {
  it('are the longest first, each once, ten at most', () => {
    expect(wordsOfSearch('a bbb CC bbb')).toEqual(['bbb', 'cc', 'a']);
    expect(wordsOfSearch('a b c d e f g h i j k l')).toHaveLength(10);
    expect(wordsOfSearch(' .,- ')).toEqual([]);
  });

  it('find what was stored, by any start of any word, in any case, between any separators', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        separator,
        separator,
        fc.nat(),
        fc.boolean(),
        (parts, between, around, cut, isLarge) => {
          const stored = wordsOf(parts.join(between));
          const whole = wordsOf(parts[cut % parts.length] ?? '')[0] ?? '';
          const start = [...whole].slice(0, 1 + (cut % [...whole].length)).join('');
          // ß in capitals is SS, which is another word.
          const typed = isLarge && !start.includes('ß') ? start.toUpperCase() : start;
          for (const asked of wordsOfSearch(`${around}${typed}${around}`)) {
            expect(startsSome(stored, asked)).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('have nothing but letters and digits, and the same words again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const words = wordsOf(text);
        for (const one of words) expect(one).toMatch(/^[\p{L}\p{N}]+$/u);
        expect(wordsOf(words.join(' '))).toEqual(words);
      }),
      { numRuns: 2_000 },
    );
  });
});
