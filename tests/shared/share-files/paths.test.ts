import { describe, expect, it } from 'vitest';
import { checkPaths, chooseMain, tidyPaths } from '../../../shared/share-files/paths.ts';

const megabyte = 1024 * 1024;

const toFiles = (paths: readonly string[]) => paths.map((path) => ({ path, size: 1 }));

const check = (...paths: string[]) => checkPaths(toFiles(paths)).map(({ message }) => message);

const tidy = (...paths: string[]) => tidyPaths(toFiles(paths)).map(({ path }) => path);

describe('checkPaths', () => {
  it('accepts relative paths of any script, with spaces and signs', () => {
    expect(check('index.html', 'img/a b.png', 'ä/ö/日本.css', 'a..b/c.', '%2e/#?.js')).toEqual([]);
    expect(check('x'.repeat(200))).toEqual([]);
  });

  it.each([
    ['', 'A file has no path. Name it.'],
    ['../a', '“../a” contains “.” or “..”. Write the path without it.'],
    ['a/./b', '“a/./b” contains “.” or “..”. Write the path without it.'],
    ['a/..', '“a/..” contains “.” or “..”. Write the path without it.'],
    ['/a', '“/a” isn’t relative. Start at the root of the share, without “/” or drive.'],
    ['C:/a', '“C:/a” isn’t relative. Start at the root of the share, without “/” or drive.'],
    ['a\\b', '“a\\b” contains a backslash. Separate folders by “/”.'],
    ['a//b', '“a//b” has an empty folder or file name. Name each.'],
    ['a/', '“a/” has an empty folder or file name. Name each.'],
    ['a\0b', '“a\\x00b” must be one line without control characters. Rename the file.'],
    ['a\nb', '“a\\x0ab” must be one line without control characters. Rename the file.'],
    ['a\ud800', '“a\ufffd” must be well-formed Unicode. Rename the file.'],
    [
      'gpj.\u202egnp',
      '“gpj.\\u202egnp” must not contain bidirectional control characters. Rename the file.',
    ],
    ['e\u0301.png', '“e\u0301.png” isn’t in Unicode form NFC. Normalize it.'],
    ['x'.repeat(201), `“${'x'.repeat(201)}” is too long. A path can have 200 characters.`],
  ])('refuses %j', (path, message) => {
    expect(checkPaths([{ path, size: 1 }])).toEqual([{ path, message }]);
  });

  it('refuses files that can’t exist beside each other', () => {
    expect(check('img/A.png', 'img/a.png')).toEqual([
      '“img/A.png” and “img/a.png” can’t both exist. Rename one.',
    ]);
    expect(check('É.css', 'é.css')).toHaveLength(1);
    expect(check('a', 'a')).toEqual(['“a” is there twice. Leave one out.']);
    expect(check('A/b', 'a', 'a/c')).toEqual([
      '“a” can’t be both a file and a folder. Rename one.',
    ]);
  });

  it('has limits of size and number', () => {
    const sized = (size: number, path = 'a') => checkPaths([{ path, size }], 'index.html');
    expect(sized(4 * megabyte)).toEqual([]);
    expect(sized(5 * megabyte)).toEqual([
      { path: 'a', message: '“a” has 5 MB. A file can have 4 MB.', isTooLarge: true },
    ]);
    expect(sized(16 * megabyte, 'index.html')).toEqual([]);
    expect(sized(16 * megabyte + 1, 'index.html')).toHaveLength(1);
    expect(sized(5 * megabyte, 'other.html')).toHaveLength(1);
    const paths = Array.from({ length: 201 }, (_, at) => `${at}`);
    expect(check(...paths)).toEqual(['There are 201 files. A share can have 200.']);
    expect(check(...paths.slice(1))).toEqual([]);
    const large = paths.slice(0, 7).map((path) => ({ path, size: 4 * megabyte }));
    expect(checkPaths(large)).toEqual([
      { path: '', message: 'The files have 28 MB. A share can have 25 MB.', isTooLarge: true },
    ]);
    expect(checkPaths(large.slice(0, 6))).toEqual([]);
  });
});

describe('tidyPaths', () => {
  it('removes the folder that all files are in, once', () => {
    expect(tidy('dist/a.html', 'dist/img/b.png')).toEqual(['a.html', 'img/b.png']);
    expect(tidy('a/b/c.html', 'a/b/d.html')).toEqual(['b/c.html', 'b/d.html']);
    expect(tidy('dist/a.html', 'b.png')).toEqual(['dist/a.html', 'b.png']);
    expect(tidy('./dist/a.html', './dist/b')).toEqual(['a.html', 'b']);
  });

  it('leaves out what systems add, and what such a file is beside', () => {
    expect(
      tidy(
        ...['__MACOSX/site/._a.html', 'site/.DS_Store', 'site/.git/config', 'site/a.html'],
        ...['site/img/Thumbs.db', 'site/desktop.ini', 'site/a..b'],
      ),
    ).toEqual(['a.html', 'a..b']);
  });

  it('keeps what is to be refused', () => {
    expect(tidy('../a', '../b')).toEqual(['../a', '../b']);
    expect(tidy('/a', '/b')).toEqual(['/a', '/b']);
  });

  it('puts paths into NFC', () => {
    expect(tidy('e\u0301.png', 'a')).toEqual(['\u00e9.png', 'a']);
  });
});

describe('chooseMain', () => {
  it('prefers index.html at the root', () => {
    expect(chooseMain(['a.html', 'index.html', 'sub/index.html'])).toEqual({ main: 'index.html' });
    expect(chooseMain(['INDEX.HTML'])).toEqual({ main: 'INDEX.HTML' });
  });

  it('takes the only page', () => {
    expect(chooseMain(['img/a.png', 'report.md'])).toEqual({ main: 'report.md' });
    expect(chooseMain(['docs/page.htm', 'x.js'])).toEqual({ main: 'docs/page.htm' });
  });

  it('returns several by their place and name', () => {
    expect(chooseMain(['b.md', 'a/index.html', 'README.md', 'a.html', 'index.md'])).toEqual({
      candidates: ['index.md', 'README.md', 'a.html', 'b.md', 'a/index.html'],
    });
  });

  it('returns none without pages', () => {
    expect(chooseMain(['a.png', 'b.pdf', 'html'])).toEqual({ candidates: [] });
  });
});
