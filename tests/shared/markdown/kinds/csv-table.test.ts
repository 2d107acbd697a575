import { describe, expect, it } from 'vitest';
import { renderCsv } from '../../../../shared/markdown/kinds/csv-table.ts';

const maxBytes = 4_000_000;
const table = (text: string, delimiter?: string, bytes = maxBytes) => {
  const view = renderCsv(text, delimiter, bytes);
  return view && 'html' in view ? view : undefined;
};
const count = (html: string | undefined, tag: string) => html?.split(tag).length ?? 0;

describe('the table of a CSV file', () => {
  it('has a header, and numbers in columns of their own', () => {
    expect(
      table('\uFEFFname;price;year\r\n"A & <b>";1,20;2026\r\n"x ""q""\ny";;n/a\r\nz\r\n'),
    ).toEqual({
      name: 'table',
      about: '3 rows · 3 columns',
      html: `<table class="csv"><thead><tr><th scope="col">name</th><th scope="col" class="n">price</th><th scope="col">year</th></tr>
</thead><tbody><tr><td>A &amp; &lt;b&gt;</td><td class="n">1,20</td><td>2026</td></tr>
<tr><td>x "q"\ny</td><td class="n"></td><td>n/a</td></tr>
<tr><td>z</td></tr>
</tbody></table>
`,
    });
  });

  it.each([
    ['a,b\n1,2', undefined, 2],
    ['a;b\n1,5;2', undefined, 2],
    ['a\tb\n1\t2', undefined, 2],
    ['a,b\n1,2', '\t', 1],
  ])('of %j, separated by %j, has %i columns', (text, delimiter, columns) =>
    expect(count(table(text, delimiter)?.html, '<th ') - 1).toBe(columns),
  );

  it.each([
    '1',
    '-1.5',
    '1,234.50',
    '1.234,50',
    '12 %',
    '€ 5',
    '5 €',
    '(3)',
    '1e-7',
    '−2',
    '1 000',
  ])('takes %s for a number', (number) =>
    expect(table(`a\n"${number}"`)?.html).toContain('<td class="n">'),
  );

  it.each(['2026-11-29', '1.2.3a', '10:30', 'a1', '+', '1'.repeat(41)])(
    'takes %s for a text',
    (text) => expect(table(`a\n${text}`)?.html).not.toContain('<td class="n">'),
  );

  it('has 10,000 rows at most, and says how many more there are', () => {
    const text = `a,b\n${'1,2\n'.repeat(12_345)}`;
    const { about, html } = table(text) ?? {};
    expect(about).toBe('12,345 rows · 2 columns');
    expect(count(html, '<tr>') - 2).toBe(10_000);
    expect(html).toContain('<p class="more">2,345 more rows. The text has all of them.</p>');
  });

  it('has as many rows as there are cells and bytes for', () => {
    const wide = `${'a,'.repeat(99)}a\n${`${'1,'.repeat(99)}1\n`.repeat(1_200)}`;
    expect(count(table(wide)?.html, '<tr>') - 2).toBe(999);
    const small = table(`a\n${'é'.repeat(100)}\n`.repeat(20), undefined, 1_000)?.html ?? '';
    expect(Buffer.byteLength(small)).toBeLessThan(1_100);
    expect(small).toContain('more rows');
  });

  it.each([
    ['a,b\n1,2\n"x"y,2\n', { line: 3, reason: 'has text after a closing quotation mark' }],
    ['a,b\n"1\n2', { line: 2, reason: 'has a quotation mark that isn’t closed' }],
    [`${'a,'.repeat(1_000)}a`, { reason: 'it has more than 1,000 columns' }],
    ['', undefined],
    ['\n\n', undefined],
  ])('is none of %j', (text, expected) =>
    expect(renderCsv(text, undefined, maxBytes)).toEqual(expected),
  );
});
