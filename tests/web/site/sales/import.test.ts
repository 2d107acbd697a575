import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRowIds } from '../../../../functions/api/sales/import-file.ts';
import { CreateSaleInput, toNewSale } from '../../../../functions/api/sales/input.ts';
import {
  mapColumns,
  readLines,
  toBody,
} from '../../../../functions/web/site/sales/import/lines.ts';
import { toPlainAmount } from '../../../../functions/web/site/sales/sale-input.ts';
import { parseTime } from '../../../../functions/web/site/sales/sale-time.ts';
import { readTable } from '../../../../shared/text/csv-table.ts';
import fc from '../../../support/run/properties.ts';

beforeAll(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12), toFake: ['Date'] });
  vi.stubEnv('CURRENCY', 'EUR');
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const read = (text: string) => {
  const file = readTable(text);
  return readLines(file, mapColumns(file.columns), 'EUR');
};

describe('a file of sales', () => {
  it('is read with a byte order mark, semicolons, decimal commas and columns in any order', () => {
    const lines = read(
      '\ufeffSold At;customer;AMOUNT;Notes;external_id\r\n21.11.2026;"Walsh; E.";1.234,50;x;a-1\r\n2026-11-20T10:00:00+02:00;;12,5;;\r\n',
    );
    expect(lines.map(({ line, row, problems }) => [line, toBody(row), problems])).toEqual([
      [
        2,
        { soldAt: '2026-11-21', customer: 'Walsh; E.', amount: '1234.50', externalId: 'a-1' },
        [],
      ],
      [3, { soldAt: '2026-11-20T08:00:00.000Z', amount: '12.5' }, []],
    ]);
  });

  it('says of each line which field is wrong, and what is right', () => {
    const header = 'amount,cost,currency,customer,soldAt,externalId';
    const wrong = [
      '12.345,,,,2026-11-21,a',
      '"1,234",,,,2026-11-21,b',
      ',-1,USD,,2026-02-30,c',
      `1,,,${'x'.repeat(201)},2026-11-25,d`,
      '1,,,,,a',
      '1,2,3',
      '1,,,"a"b,2026-11-21,e',
    ];
    const lines = read([header, ...wrong].join('\n'));
    expect(
      lines.flatMap(({ line, problems }) =>
        problems.map(({ field, message }) => `${line} ${field ?? '-'}: ${message}`),
      ),
    ).toEqual([
      '2 amount: must have at most 2 decimals for EUR',
      '3 amount: must be a decimal number such as 12.34',
      '4 amount: is required',
      '4 cost: must not be negative',
      '4 currency: must be EUR, the currency of this service',
      '4 soldAt: must be a day such as 2026-11-21, or a time such as 2026-11-21 14:30',
      '5 customer: must be at most 200 characters',
      '5 soldAt: must not be in the future',
      '6 soldAt: is required',
      '6 externalId: is already on line 2',
      '7 -: has 3 columns, but the first line has 6',
      '8 -: has text after a closing quotation mark',
    ]);
  });

  it('has only lines without problems that the API takes as they are', () => {
    const text = (good: readonly string[], ...bad: string[]) =>
      fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...good) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
        { weight: 1, arbitrary: fc.constantFrom('', ...bad) },
      );
    const amounts = ['1', '0.10', '12,5', '1.234,56', '1,234.56', '10000000000', '1.000'];
    const times = ['2026-11-21', '2026-11-21 14:30', '1.2.2026', '2026-11-21T14:30:00.5+14:00'];
    const row = fc.tuple(
      text(amounts, '1,234', '1e3', '10000000000.01', '٣', '-1'),
      text(amounts, '0x10', '.5'),
      text(['EUR', 'eur', ' EUR '], 'USD'),
      text(['E. Walsh', 'x'.repeat(200), '😀'], '\u202e', 'a\u2028b', 'x'.repeat(201)),
      text(['Books', '\u200b'], 'x'.repeat(51)),
      text(times, '2026-13-01', '9999-01-01', '24.12.2026', '0000-01-01', '2026-11-21T14:30+15:99'),
      text(['order-1', '0'], 'x'.repeat(201)),
    );
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const header = 'amount,cost,currency,customer,category,soldAt,externalId';
    let taken = 0;
    fc.assert(
      fc.property(row, (cells) => {
        // A file in UTF-8 has no lone surrogates.
        const content = `${header}\n${cells.map(quote).join(',')}`.toWellFormed();
        const [line] = read(content);
        if (!line || line.problems.length > 0) return;
        taken += 1;
        expect(CreateSaleInput.safeParse(toBody(line.row)).error).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  it('keeps amounts exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (minor) => {
        const digits = String(minor).padStart(3, '0');
        const [whole, cents] = [digits.slice(0, -2), digits.slice(-2)];
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
        for (const amount of [`${whole}.${cents}`, `${whole},${cents}`, `${grouped},${cents}`]) {
          const body = toBody({ amount, soldAt: '2026-11-21' });
          expect(toNewSale(CreateSaleInput.parse(body)).amount).toBe(minor);
        }
      }),
    );
  });
});

describe('toPlainAmount', () => {
  it('leaves alone what could be read in two ways', () => {
    for (const text of ['1,234', '1.234.567', '1,23,4.5', '12 34,5', '1 234 56', '€5']) {
      expect(toPlainAmount(text)).toBe(text);
    }
  });

  it.each([
    ['1 234,50', '1234.50'],
    ['1\u00a0234\u00a0567,8', '1234567.8'],
    ['12\u202f345.67', '12345.67'],
    ['1\u2009234', '1234'],
    ['1’234.50', '1234.50'],
  ])('joins the groups of %j', (text, amount) => {
    expect(toPlainAmount(text)).toBe(amount);
  });
});

describe('parseTime', () => {
  it.each([
    ['2026-11-21', '2026-11-21'],
    ['1.2.2026', '2026-02-01'],
    ['2026-11-21T14:30Z', '2026-11-21T14:30:00.000Z'],
    ['2026-11-21 14:30:05.123456+05:30', '2026-11-21T09:00:05.123Z'],
    ['2028-02-29', '2028-02-29'],
    ['2026-02-29', undefined],
    ['31.11.2026', undefined],
    ['11/21/2026', undefined],
    ['2026-11-21 24:00', undefined],
    ['1969-12-31', undefined],
    ['yesterday', undefined],
  ])('reads %s as %s', (text, expected) => expect(parseTime(text)).toBe(expected));

  it('takes a time without a time zone as that of the browser', () => {
    expect(parseTime('2026-11-21 14:30')).toBe(new Date(2026, 10, 21, 14, 30).toISOString());
  });
});

describe('createRowIds', () => {
  it('names equal rows apart, and the rows of the same file alike', async () => {
    const rows = [{ amount: '1' }, { amount: '1' }, { amount: '1', customer: 'A' }];
    const name = async () => {
      const createRowId = createRowIds();
      const ids: string[] = [];
      for (const row of rows) ids.push(await createRowId(row));
      return ids;
    };
    const ids = await name();
    expect(new Set(ids).size).toBe(3);
    expect(await name()).toEqual(ids);
    expect(ids[0]).toMatch(/^csv-[\w-]{22}-1$/);
  });
});
