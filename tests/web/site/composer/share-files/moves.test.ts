import { describe, expect, it } from 'vitest';
import {
  followMoves,
  planRename,
  toRelative,
} from '../../../../../functions/web/site/composer/browser/parts/share-files/model/moves.ts';
import { findTargets } from '../../../../../functions/web/site/composer/browser/parts/share-files/work/links.ts';

const files: Readonly<Record<string, string>> = {
  'index.html':
    '<link rel=stylesheet href="style.css?v=1"><img src="img/a.png"><a href="pages/">P</a><img src="/img/a.png">',
  'pages/index.html': '<img src=../img/a.png><a href="../index.html#top">Up</a>',
  'style.css': '@import "./more.css"; b { background: url(img/a.png) }',
  'more.css': '',
  'notes.md': '![A](img/a.png "t") [web](https://a.example/img/a.png)',
  'app.js': 'import "./lib/b.js"; const url = new URL("img/a.png", import.meta.url);',
  'lib/b.js': 'import "../app.js";',
  'img/a.png': '',
};

const paths = Object.keys(files);

const follow = (path: string, name: string) => {
  const texts = Object.entries(files).map(([from, text]) => ({
    path: from,
    text,
    targets: findTargets(from, text, new Set(paths)),
  }));
  const followed = followMoves(texts, planRename(paths, path, name));
  return Object.fromEntries(followed.map((one) => [one.path, one.text]));
};

describe('planRename', () => {
  it.each([
    ['img/a.png', 'b.png', [['img/a.png', 'img/b.png']]],
    ['img/a.png', '../b.png', [['img/a.png', 'b.png']]],
    ['img/a.png', '/x/y/b.png', [['img/a.png', 'x/y/b.png']]],
    ['img', 'pics', [['img/a.png', 'pics/a.png']]],
    ['img/a.png', ' a.png ', []],
    ['img/a.png', ' ', []],
  ])('of %s to %j moves %j', (path, name, expected) => {
    expect([...planRename(paths, path, name)]).toEqual(expected);
  });
});

describe('toRelative', () => {
  it.each([
    ['index.html', 'img/a.png', 'img/a.png'],
    ['pages/b/c.html', 'img/a.png', '../../img/a.png'],
    ['pages/a.html', 'pages/b.html', 'b.html'],
    ['index.html', 'img/a (1)&ü.png', 'img/a%20%281%29%26ü.png'],
    ['index.html', 'a:b.png', 'a%3Ab.png'],
  ])('from %s to %s is %s', (from, to, expected) => {
    expect(toRelative(from, to)).toBe(expected);
  });
});

describe('followMoves', () => {
  it('follows a renamed file in HTML, CSS, Markdown and scripts, and changes nothing else', () => {
    expect(follow('img/a.png', 'b c.png')).toEqual({
      'index.html': files['index.html']
        ?.replace('"img/a.png"', '"img/b%20c.png"')
        .replace('"/img/a.png"', '"/img/b%20c.png"'),
      'pages/index.html': files['pages/index.html']?.replace('a.png', 'b%20c.png'),
      'style.css': files['style.css']?.replace('a.png', 'b%20c.png'),
      'notes.md': files['notes.md']?.replace('img/a.png "t"', 'img/b%20c.png "t"'),
      'app.js': files['app.js']?.replace('a.png', 'b%20c.png'),
    });
  });

  it('keeps queries, and the dot by which modules begin', () => {
    expect(follow('style.css', 'css/s.css')).toEqual({
      'index.html': files['index.html']?.replace('style.css?v=1', 'css/s.css?v=1'),
      'css/s.css': '@import "../more.css"; b { background: url(../img/a.png) }',
    });
    expect(follow('lib/b.js', '/b.js')).toEqual({
      'app.js': files['app.js']?.replace('./lib/b.js', './b.js'),
      'b.js': 'import "./app.js";',
    });
  });

  it('leaves what stays the same from within a folder that moves', () => {
    expect(Object.keys(follow('pages', 'site'))).toEqual(['index.html']);
  });
});
