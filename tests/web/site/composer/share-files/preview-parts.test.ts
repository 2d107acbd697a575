import { describe, expect, it } from 'vitest';
import { toPreviewPage } from '../../../../../functions/web/site/composer/browser/parts/share-files/model/preview-parts.ts';
import { findTargets } from '../../../../../functions/web/site/composer/browser/parts/share-files/work/links.ts';
import { getFileType } from '../../../../../shared/share-files/types.ts';

const sources: Readonly<Record<string, string | undefined>> = {
  'index.html':
    '<link rel=stylesheet href=style.css><img src=img/a.png><img src="gone.png"><img src="late.png"><a href=b.html>B</a><script type=module src="/app.js"></script>',
  'b.html': '<a href="index.html">Back</a>',
  'style.css': '@import "more.css"; b { background: url("img/a.png") }',
  'more.css': 'i { background: url(img/a.png) }',
  'app.js': 'import { b } from "./lib/b.js"; new URL("./lib/b.js", import.meta.url)',
  'lib/b.js': 'import "../app.js"; import("./c.js")',
  'img/a.png': undefined,
  'late.png': undefined,
};

const preview = (page: string) => {
  const paths = Object.keys(sources);
  const files = paths.map((path) => ({ path, type: getFileType(path) }));
  const texts = files.flatMap(({ path, type }) => {
    const text = sources[path];
    return text === undefined
      ? []
      : { path, type, text, targets: findTargets(path, text, new Set(paths)) };
  });
  const made = toPreviewPage({
    page,
    files,
    texts,
    absent: new Set(['late.png']),
    labels: { missing: 'Missing image', loading: 'Loading…' },
    nonce: 'x',
  });
  const name = (text: string | undefined) =>
    text?.replace(/mark-x-(\d+)\./g, (_, at) => `<${made.parts[at]?.path}>`);
  return {
    made,
    html: name(made.html),
    text: (path: string) => name(made.parts.find((part) => part.path === path)?.text),
  };
};

describe('toPreviewPage', () => {
  it('marks what a page loads, and leaves its links', () => {
    const { html } = preview('index.html');
    expect(html).toContain('<link rel=stylesheet href=<style.css>><img src=<img/a.png>>');
    expect(html).toContain('<a href=b.html>B</a><script type=module src="<app.js>">');
  });

  it('says which images are missing and which aren’t here yet', () => {
    const { html = '' } = preview('index.html');
    const images = [...html.matchAll(/src="(data:[^"]+)"/g)].map(([, url = '']) =>
      decodeURIComponent(url),
    );
    expect(images.map((image) => /middle">(.*)<\/text>/.exec(image)?.[1])).toEqual([
      'Missing image',
      'Loading…',
    ]);
  });

  it('puts files before those that refer to them', () => {
    const { made, text } = preview('index.html');
    const paths = made.parts.map(({ path }) => path);
    expect(paths.indexOf('more.css')).toBeLessThan(paths.indexOf('style.css'));
    expect(paths).not.toContain('index.html');
    expect(paths).not.toContain('late.png');
    expect(text('style.css')).toBe('@import "<more.css>"; b { background: url("<img/a.png>") }');
  });

  it('names modules, which may import each other, and gives them a place', () => {
    const { text } = preview('index.html');
    expect(text('app.js')).toBe(
      'import { b } from "share-file/lib/b.js"; new URL("./lib/b.js", "https://share-file.invalid/app.js")',
    );
    expect(text('lib/b.js')).toBe('import "share-file/app.js"; import("./c.js")');
  });
});
