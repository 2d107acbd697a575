import { describe, expect, it } from 'vitest';
import { findMissing } from '../../../shared/share-files/missing.ts';
import { rewriteRoots } from '../../../shared/share-files/rewrite-roots.ts';

const length = 4 * 1024 * 1024;

const fill = (begin: string, part: string | ((at: number) => string), end = ''): string => {
  const parts = [begin];
  for (let [at, size] = [0, 0]; size < length; at++) {
    const next = typeof part === 'string' ? part : part(at);
    parts.push(next);
    size += next.length;
  }
  return parts.join('') + end;
};

/** Texts of 4 MB for which a parser may take much more time than their length. */
const texts: readonly (readonly [path: string, what: string, text: () => string])[] = [
  ...[
    ['attributes', () => fill('<a ', (at) => `${at.toString(36)} `, '>')],
    ['the same attribute', () => fill('<a ', 'a ', '>')],
    ['tags', () => fill('', '<a>')],
    ['tags without an end', () => fill('', '<a ')],
    ['comments without an end', () => fill('', '<!--')],
    ['references to characters', () => fill('<a href="', '&amp;', '">')],
    ['links', () => fill('', '<a href=/b>\n')],
    ['links in a line', () => fill('', '<a href=b>')],
    ['styles', () => fill('', '<a style=url(/b)>')],
    ['style elements', () => fill('', '<style>url(/b)</style>')],
    ['scripts', () => fill('', '<script>"/b"</script>')],
    ['scripts without an end', () => fill('', '<script>')],
    ['candidates', () => fill('<img srcset="', '/b 1x,', '">')],
    ['commas of candidates', () => fill('<img srcset="', ',', 'a">')],
    ['commas after a candidate', () => fill('<img srcset="a', ',', 'b">')],
    ['parentheses of candidates', () => fill('<img srcset="a (', '(', '">')],
    ['bases', () => fill('', '<base href=/b>')],
    ['blanks before an address', () => fill('<a href="', ' ', 'b">')],
    ['nested drawings', () => fill('', '<svg>')],
  ].map(([what, text]) => ['index.html', what, text] as [string, string, () => string]),
  ...[
    ['addresses', () => fill('', 'url(/b)')],
    ['quoted addresses', () => fill('', 'url("/b")')],
    ['parentheses', () => fill('url(/b)', '(')],
    ['quotes that have no end', () => fill('url(/b)', '"\n')],
    ['addresses that have no end', () => fill('', 'url( a b')],
    ['escapes', () => fill('', '\\')],
    ['comments', () => fill('url(/b)', '/*')],
    ['blanks in an address', () => fill('url(', ' ', 'b)')],
    ['imports', () => fill('', '@import')],
  ].map(([what, text]) => ['style.css', what, text] as [string, string, () => string]),
  ...[
    ['imports', () => fill('', 'import"./b";')],
    ['parentheses', () => fill('', '(')],
    ['templates', () => fill('', '`${')],
    ['texts', () => fill('', '"/b"')],
    ['texts that have no end', () => fill('', '"/b')],
    ['divisions', () => fill('', ')/')],
    ['addresses of modules', () => fill('', 'new URL(  "')],
  ].map(([what, text]) => ['app.js', what, text] as [string, string, () => string]),
  ...[
    ['brackets', () => fill('', '[')],
    ['links', () => fill('', '[a](b)')],
    ['links by line', () => fill('', '[a](b)\n')],
    ['links that have no end', () => fill('', '](a')],
    ['parentheses of links', () => fill('', '](a(b)')],
    ['code', () => fill('', (at) => `${'`'.repeat(1 + (at % 9))}a\n`)],
    [
      'code in lines',
      () => fill('', (at) => `${'`'.repeat(1 + (at % 9))}a${at % 900 ? '' : '\n'}`),
    ],
    ['definitions', () => fill('', '[a]: b\n')],
    ['quotes', () => fill('', '> ')],
  ].map(([what, text]) => ['README.md', what, text] as [string, string, () => string]),
];

describe('texts of 4 MB', () => {
  it.each(texts)('%s takes no time for %s', (path, _, create) => {
    const text = create();
    const before = process.cpuUsage();
    const missing = findMissing([{ path, text }]);
    rewriteRoots(path, text, new Set(['b']));
    const { user, system } = process.cpuUsage(before);
    expect(missing.length).toBeLessThanOrEqual(100);
    // Quadratic time would be hours. CPU time, because others use the machine, too.
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
