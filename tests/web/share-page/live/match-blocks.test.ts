import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchBlocks } from '../../../../functions/web/share-page/browser/parts/live/match-blocks.ts';

const match = (before: string, after: string): string =>
  [...matchBlocks([...before], [...after])]
    .sort(([a], [b]) => a - b)
    .map(([at]) => after[at])
    .join('');

describe('matchBlocks', () => {
  it.each([
    ['abc', 'abc', 'abc'],
    ['', 'abc', ''],
    ['abc', '', ''],
    ['abcd', 'abXcd', 'abcd'],
    ['abcd', 'acd', 'acd'],
    // Several edits leave what is between them.
    ['abcdefg', 'XabcYdefZ', 'abcdef'],
    // Of what is moved, the most that keeps its order.
    ['abcde', 'eabcd', 'abcd'],
    // Repeated blocks are matched beside others.
    ['a-b-c', 'a-X-b-c', 'a-b-c'],
  ])('keeps of %j in %j the blocks %j', (before, after, kept) => {
    expect(match(before, after)).toBe(kept);
  });

  it('matches the same blocks only, each once and in their order', () => {
    const list = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 30 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const pairs = [...matchBlocks(before, after)].sort(([a], [b]) => a - b);
        for (const [at, place] of pairs) expect(before[place]).toBe(after[at]);
        const places = pairs.map(([, place]) => place);
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      }),
    );
  });

  it('takes little time for long texts that have much in common', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `block ${at}`);
    const after = before.map((block, at) => (at % 100 === 0 ? `${block}!` : block));
    expect(matchBlocks(before, after).size).toBe(19_800);
  });
});
