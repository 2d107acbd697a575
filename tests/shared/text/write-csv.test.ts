import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../shared/text/csv.ts';
import { withoutMark, writeCsvLine } from '../../../shared/text/write-csv.ts';
import fc from '../../support/run/properties.ts';

describe('a line of CSV', () => {
  it('quotes what has separators, quotes or line breaks, and ends as RFC 4180 says', () => {
    expect(writeCsvLine(['a', 'b,c', 'd"e', 'f\ng', null, true, 1.5])).toBe(
      'a,"b,c","d""e","f\ng",,true,1.5\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['＝1', "'＝1"],
    ["'=x", "''=x"],
    ['-12.5', '-12.5'],
    ["it's", "it's"],
  ])('writes %j as %j, so that no spreadsheet runs it', (text, expected) => {
    expect(writeCsvLine([text])).toBe(`${expected}\r\n`);
  });

  it.each([
    ['Ann;=cmd|x', "Ann;'=cmd|x"],
    ['Ann,=1', `"Ann,'=1"`],
    ['Ann\t@SUM(A1)', "Ann\t'@SUM(A1)"],
    ['Ann\r\n-cmd', `"Ann\r\n'-cmd"`],
    ['Ann; ＝1', "Ann;' ＝1"],
    ['Ann;"=1"', `"Ann;'""=1"""`],
    ["Ann;'=1", "Ann;''=1"],
    ['=a;=b', "'=a;'=b"],
    ['52.5;-13.4; +1', '52.5;-13.4; +1'],
    ['a-b; c=d', 'a-b; c=d'],
  ])('writes %j as %j, so that none runs it that separates otherwise', (text, expected) => {
    expect(writeCsvLine([text])).toBe(`${expected}\r\n`);
  });

  it('takes no time that grows by the square of its length', () => {
    for (const part of [';', '; ', ';"', ';-1', ' ', "'", ';=']) {
      const text = `;${part.repeat(200_000)}`;
      expect(withoutMark(writeCsvLine([text]).slice(0, -2)).length).toBeGreaterThan(0);
    }
  });

  it('keeps numbers numbers, also negative ones', () => {
    expect(writeCsvLine([-5, 0.1])).toBe('-5,0.1\r\n');
  });

  it('has semicolons and decimal commas for spreadsheets that expect them', () => {
    const style = { delimiter: ';', decimal: ',' } as const;
    expect(writeCsvLine([1234.5, 'a;b', 'c,d'], style)).toBe('1234,5;"a;b";c,d\r\n');
  });

  it('is read back to the same texts', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom('=', "'", '+', '-', ',', ';', '"', '\r', '\n', '\t', '1', ' '),
      }),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), (cells) => {
        const [record] = [...parseCsv(writeCsvLine(cells), ',')];
        expect(record?.cells.map(withoutMark)).toEqual(cells);
      }),
    );
  });
});
