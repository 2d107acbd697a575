import { describe, expect, it } from 'vitest';
import { toShareName } from '../../../infra/cli/source/commands/reading.ts';
import { toSavedPaths } from '../../../infra/cli/source/sealed/file-names.ts';
import { readKeyed } from '../../../infra/cli/source/sealed/link.ts';

const pathsOf = (...names: string[]) => toSavedPaths(names.map((name) => ({ name })));

describe('the paths of files of a sealed share', () => {
  it('are the names that the author gave, with their folders', () => {
    expect(pathsOf('a.txt', 'img/b ä.png')).toEqual(['a.txt', 'img/b ä.png']);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Windows\\a.dll', 'a.dll'],
    ['a/../../b.txt', 'b.txt'],
    ['.bashrc', 'bashrc'],
    ['.git/config', 'config'],
    ['a\u0000b', 'a_b'],
    ['x\u200b.txt', 'x_.txt'],
    ['../12:30?.png', '12_30_.png'],
    ['../con.txt', '_con.txt'],
    ['../trailing. ', 'trailing'],
    ['../\ud800.txt', '_.txt'],
    ['\u001b]0;x\u0007', '_]0;x_'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['x'.repeat(300), 'x'.repeat(100)],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(96)}.txt`],
  ])('stay in the folder for %j', (name, path) => {
    expect(pathsOf(name)).toEqual([path]);
  });

  it('are in the form of Unicode that disks have, and keep all its letters', () => {
    const names = ['e\u0301.txt', '\u1112\u1161\u11ab.txt', 'می\u200cخواهم.txt', '👩\u200d🚀.txt'];
    expect(pathsOf(...names)).toEqual(names.map((name) => name.normalize('NFC')));
    expect(pathsOf('../e\u0301.txt')).toEqual(['é.txt']);
  });

  it.each([
    ['12:30.png', '12_30.png'],
    ['a.txt:stream', 'a.txt_stream'],
    ['CON', '_CON'],
    ['img/aux.png', '_aux.png'],
    ['trailing. ', 'trailing'],
  ])('are such as Windows has there, and as they are elsewhere: %j', (name, path) => {
    expect(toSavedPaths([{ name }], [], true)).toEqual([path]);
    expect(toSavedPaths([{ name }], [], false)).toEqual([name]);
  });

  it('are different ones for the same name, and beside the page', () => {
    expect(pathsOf('a.txt', 'A.TXT', 'x/a.txt', '../a.txt')).toEqual([
      'a.txt',
      'A-2.TXT',
      'x/a.txt',
      'a-3.txt',
    ]);
    expect(toSavedPaths([{ name: 'index.md' }, { name: 'index.md/b' }], ['index.md'])).toEqual([
      'index-2.md',
      'b',
    ]);
  });

  it('are refused for more than a share can have', () => {
    expect(() => pathsOf(...Array.from({ length: 201 }, (_, at) => `${at}`))).toThrow(
      'more than 200 files',
    );
  });
});

describe('what is given as a share', () => {
  const key = `k1.${'A'.repeat(43)}`;

  it('is sent without what is behind its #', () => {
    for (const given of [
      `codes#${key}`,
      `https://a.example.com/s/codes#${key}`,
      `https://a.example.com/s/codes?view=1#${key}`,
    ]) {
      expect(toShareName(given)).toBe('codes');
    }
  });

  it('is read with its key, and with its service if it is an address', () => {
    expect(readKeyed(`codes#${key}`)).toEqual({ name: 'codes', fragment: key });
    expect(readKeyed(`https://a.example.com/s/codes#${key}`)).toEqual({
      ...{ name: 'codes', origin: 'https://a.example.com', fragment: key },
    });
    expect(readKeyed('https://a.example.com/s/codes#notes')).toBeUndefined();
  });

  it.each([
    `codes#${key}A`,
    'codes#k1.abc',
    `codes#k2.${'A'.repeat(43)}`,
    `ftp://a.example.com/s/codes#${key}`,
  ])('is refused without repeating its key: %s', (given) => {
    expect(() => readKeyed(given)).toThrow();
    try {
      readKeyed(given);
    } catch (error) {
      expect(String(error)).not.toContain('AAA');
      expect(String(error)).not.toContain('k1.abc');
    }
  });
});
