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
    ['\u001b]0;x\u0007', '__0_x_'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('stay in the folder for %j', (name, path) => {
    expect(pathsOf(name)).toEqual([path]);
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
