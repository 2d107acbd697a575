import { describe, expect, it } from 'vitest';
import {
  findFreePath,
  placeMissing,
  readText,
  takeFiles,
  toDraftFile,
} from '../../../../../functions/web/site/composer/browser/parts/share-files/model/incoming.ts';
import {
  formatPart,
  formatSize,
} from '../../../../../functions/web/site/composer/browser/parts/share-files/model/sizes.ts';

const megabyte = 1024 * 1024;
const file = (path: string, size = 1) => ({ path, size });

const take = (present: readonly ReturnType<typeof file>[], incoming: typeof present) => {
  const { taken, refused } = takeFiles(present, incoming);
  return { taken: taken.map(({ path }) => path), refused };
};

describe('takeFiles', () => {
  it('refuses a file of more than 4 MB, and takes the rest', () => {
    expect(take([], [file('a.png', 4 * megabyte), file('b.mp4', 12 * megabyte)])).toEqual({
      taken: ['a.png'],
      refused: [{ path: 'b.mp4', message: '12 MB. 4 MB at most.' }],
    });
  });

  it('takes files up to 200 and 25 MB, with those that are there', () => {
    const many = Array.from({ length: 198 }, (_, at) => file(`${at}.txt`));
    expect(take(many, [file('a'), file('b'), file('c'), file('0.txt')])).toEqual({
      taken: ['a', 'b', '0.txt'],
      refused: [{ path: 'c', message: 'A share can have 200 files.' }],
    });
    const large = Array.from({ length: 6 }, (_, at) => file(`${at}.bin`, 4 * megabyte));
    expect(take(large, [file('a', megabyte + 1), file('b', megabyte), file('0.bin', 1)])).toEqual({
      taken: ['b', '0.bin'],
      refused: [{ path: 'a', message: 'No room. 25 MB in all at most.' }],
    });
  });

  it('refuses twins by case, folders that are files and paths that lead out', () => {
    const { taken, refused } = take(
      [file('img/A.png')],
      [file('img/a.png'), file('IMG/b.png'), file('x'), file('x/y.txt'), file('../z'), file('ok')],
    );
    expect(taken).toEqual(['IMG/b.png', 'x/y.txt', 'ok']);
    expect(refused.map(({ path }) => path).sort()).toEqual(['../z', 'img/a.png', 'x']);
    expect(refused.find(({ path }) => path === 'img/a.png')?.message).toContain(
      '“img/A.png” and “img/a.png” can’t both exist.',
    );
  });
});

describe('toDraftFile', () => {
  it('reads the type, and the text of what can be edited', async () => {
    const css = await toDraftFile({ path: 'a.css', bytes: new Blob(['b{}']) });
    expect(css).toMatchObject({ path: 'a.css', size: 3, type: 'text/css', text: 'b{}' });
    const png = await toDraftFile({
      path: 'a',
      bytes: new Blob([new Uint8Array([137, 80, 78, 71, 13, 10])]),
    });
    expect(png).toMatchObject({ type: 'image/png' });
    expect(png).not.toHaveProperty('text');
  });

  it('reads no text that is too large or not in UTF-8', async () => {
    const type = 'text/plain';
    const latin = new Blob([new Uint8Array([0xe4])]);
    expect(await readText({ type, size: 1 }, latin)).toBeUndefined();
    expect(await readText({ type, size: 512 * 1024 + 1 }, new Blob(['a']))).toBeUndefined();
  });
});

describe('findFreePath', () => {
  it.each([
    ['image.png', [], 'image.png'],
    ['image.png', ['Image.png', 'image-2.png'], 'image-3.png'],
    ['LICENSE', ['license'], 'LICENSE-2'],
  ])('of %s beside %j is %s', (path, taken, expected) => {
    expect(findFreePath(path, taken)).toBe(expected);
  });
});

describe('placeMissing', () => {
  it('gives files the paths of missing ones that have their names', () => {
    const chosen = [
      { path: 'Mill.woff2' },
      { path: 'mill.jpg' },
      { path: 'other.txt' },
      { path: 'mill.jpg' },
    ];
    expect(placeMissing(chosen, ['/fonts/mill.woff2', 'img/mill.jpg', '../x/mill.jpg'])).toEqual([
      { path: 'fonts/mill.woff2' },
      { path: 'img/mill.jpg' },
      { path: 'other.txt' },
      { path: 'x/mill.jpg' },
    ]);
  });
});

describe('sizes', () => {
  it.each([
    [1, '1 byte'],
    [1_023, '1023 bytes'],
    [1_025, '2 KB'],
    [868 * 1024, '868 KB'],
    [1_000 * 1024, '1 MB'],
    [8.2 * megabyte, '8.2 MB'],
    [4 * megabyte + 1, '4.1 MB'],
  ])('format %i bytes as %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it('format a part in the unit of the whole', () => {
    expect(formatPart(3.15 * megabyte, 8.2 * megabyte)).toBe('3.1 of 8.2 MB');
    expect(formatPart(0, 868 * 1024)).toBe('0 of 868 KB');
  });
});
