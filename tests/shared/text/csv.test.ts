import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { findDelimiter, parseCsv } from '../../../shared/text/csv.ts';
import fc from '../../support/run/properties.ts';

const cells = (text: string) => [...parseCsv(text, ',')].map((record) => record.cells);

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ' ', '"', ',', ';', '\t', '\n', '\r\n', '\r', '\ufeff'),
  maxLength: 6,
});
const delimiter = fc.constantFrom(',', ';', '\t');
const lineBreak = fc.constantFrom('\n', '\r\n', '\r');

const write = (text: string, needsQuotes: boolean): string =>
  needsQuotes || /[",;\t\r\n\ufeff]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

describe('parseCsv', () => {
  it('reads what was written, as csv-parse does, on the right lines', () => {
    const table = fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    const hasMark = fc.boolean();
    fc.assert(
      fc.property(
        table,
        delimiter,
        lineBreak,
        hasMark,
        fc.boolean(),
        (rows, by, end, mark, ends) => {
          const lines = rows.map((row) =>
            row.map(([text, quoted]) => write(text, quoted)).join(by),
          );
          const text = `${mark ? '\ufeff' : ''}${lines.join(end)}${ends ? end : ''}`;
          const records = [...parseCsv(text, by)];
          expect(records.map((record) => record.cells)).toEqual(
            rows.map((row) => row.map(([value]) => value)),
          );
          const options = {
            bom: true,
            delimiter: by,
            record_delimiter: end,
            relax_column_count: true,
          };
          expect(records.map((record) => record.cells)).toEqual(parse(text, options));
          const before = (at: number) => lines.slice(0, at).join(end);
          expect(records.map(({ line }) => line)).toEqual(
            lines.map((_, at) => 1 + (at === 0 ? 0 : before(at).split(/\r\n|\r|\n/).length)),
          );
        },
      ),
    );
  });

  it('skips empty lines, but no empty cells', () => {
    expect(cells('a,b\n\n\r\n,\n""\n')).toEqual([['a', 'b'], ['', ''], ['']]);
    expect(cells('')).toEqual([]);
    expect(cells('a,')).toEqual([['a', '']]);
  });

  it.each([
    ['a"b,c', 'quoteInText'],
    ['"a"b,c', 'textAfterQuote'],
    ['"a,c', 'openQuote'],
    ['c,"a', 'openQuote'],
  ])('says what is wrong with %s, and goes on with the next line', (line, problem) => {
    expect([...parseCsv(`x,y\n${line}\n1,2`, ',')]).toMatchObject([
      { line: 1, cells: ['x', 'y'] },
      { line: 2, problem },
      { line: 3, cells: ['1', '2'] },
    ]);
  });
});

describe('findDelimiter', () => {
  it.each([
    ['a,b;c,d\n;;;;', ','],
    ['a;b;"c,d,e,f";"g,h"\n1,2', ';'],
    ['a\tb', '\t'],
    ['a', ','],
  ])('finds that of %j', (text, expected) => expect(findDelimiter(text)).toBe(expected));
});
