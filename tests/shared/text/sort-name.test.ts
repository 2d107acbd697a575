import { describe, expect, it } from 'vitest';
import { compareNames, toSortName } from '../../../shared/text/sort-name.ts';

const sorted = (names: readonly string[]) => names.toSorted(compareNames);

describe('names', () => {
  it('sort as they are searched: without regard to accents and case', () => {
    const names = [
      'zoe',
      'Émile',
      'Ørsted',
      'Fred',
      'emil',
      'Łukasz',
      'Straße',
      'strasse 2',
      'Lutz',
    ];
    expect(sorted(names)).toEqual([
      ...['emil', 'Émile', 'Fred', 'Łukasz', 'Lutz', 'Ørsted', 'Straße', 'strasse 2', 'zoe'],
    ]);
  });

  it('are equal if they differ in accents, case, composition or the dots of a Turkish i', () => {
    for (const [one, other] of [
      ['Zoë', 'zoe\u0308'],
      ['İstanbul', 'ISTANBUL'],
      ['ısı', 'isi'],
      ['MASSE', 'Maße'],
      ['ｶﾞ', 'ガ'],
    ] as const) {
      expect(compareNames(one, other)).toBe(0);
    }
  });

  it('sort numbers by value', () => {
    const names = [
      'a10',
      'a9',
      'a1',
      'a',
      'a2b',
      'a02',
      'a123456789012',
      'a99999999',
      'v1.10',
      'v1.9',
    ];
    expect(sorted(names)).toEqual([
      ...['a', 'a1', 'a02', 'a2b', 'a9', 'a10', 'a99999999', 'a123456789012', 'v1.9', 'v1.10'],
    ]);
  });

  it('sort a name before one that continues it', () => {
    expect(sorted(['ann b', 'ann', 'ann!'])).toEqual(['ann', 'ann b', 'ann!']);
  });

  it('fit into a key whatever they grow to', () => {
    for (const name of ['ﷺ', '𠀀', '9', '1a'].map((unit) => unit.repeat(255))) {
      expect(Buffer.byteLength(toSortName(name))).toBeLessThanOrEqual(961);
    }
  });
});
