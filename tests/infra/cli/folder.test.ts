import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { LocalFile } from '../../../infra/cli/source/folder/local-file.ts';
import { prepareFiles } from '../../../infra/cli/source/folder/prepare.ts';
import { listFolder } from '../../../infra/cli/source/folder/walk.ts';
import { temporaryFolder } from '../../support/run/process.ts';

const megabyte = 1024 * 1024;

const createFolder = async (
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
};

const paths = async (folder: string): Promise<string[]> =>
  (await listFolder(folder)).map(({ path }) => path);

describe('listFolder', () => {
  it('lists all files but dot-files, what systems add, and node_modules at the top', async () => {
    const folder = await createFolder({
      'index.html': 'Hi',
      'img/a.png': 'x',
      'img/.DS_Store': 'x',
      '.git/config': 'x',
      '.env': 'x',
      'Thumbs.db': 'x',
      '__MACOSX/index.html': 'x',
      'node_modules/a/index.js': 'x',
      'vendor/node_modules/b.js': 'x',
      '.gitignore': 'img',
    });
    expect(await paths(folder)).toEqual(['img/a.png', 'index.html', 'vendor/node_modules/b.js']);
  });

  it('follows links within the folder', async () => {
    const folder = await createFolder({ 'a/one.txt': '1', 'two.txt': '2' });
    await symlink('a', join(folder, 'b'));
    await symlink(join(folder, 'two.txt'), join(folder, 'a/link.txt'));
    expect(await paths(folder)).toEqual([
      'a/link.txt',
      'a/one.txt',
      'b/link.txt',
      'b/one.txt',
      'two.txt',
    ]);
  });

  it('names all that can’t be shared, and reads nothing of it', async () => {
    const other = await createFolder({ 'secret.txt': 'x' });
    const folder = await createFolder({ 'index.html': 'Hi', '.env': 'x', 'a/b.txt': 'x' });
    await symlink(join(other, 'secret.txt'), join(folder, 'file.txt'));
    await symlink(other, join(folder, 'folder'));
    await symlink('.env', join(folder, 'hidden.txt'));
    await symlink('nothing', join(folder, 'lost'));
    await symlink('..', join(folder, 'a/up'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(listFolder(folder)).rejects.toThrow(
      [
        'a/up is a link to a folder that it is in.',
        `file.txt is a link that leads out of ${folder}.`,
        `folder is a link that leads out of ${folder}.`,
        'hidden.txt is a link to .env, which is left out.',
        'lost is a link that leads nowhere.',
        'pipe is neither a file nor a folder.',
      ].join('\n'),
    );
  });
});

const fileOf = (path: string, content: string | Uint8Array = 'x'): LocalFile => {
  const bytes = Buffer.from(content);
  return { path, size: bytes.length, read: async () => bytes };
};

const prepare = (files: readonly LocalFile[], main?: string) =>
  prepareFiles('dist', files, { main });

describe('prepareFiles', () => {
  const note = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

  it('strips the one folder at the top and shows index.html first', async () => {
    const ready = await prepare([fileOf('site/a.html'), fileOf('site/index.html')]);
    expect([ready.main, ready.files.map(({ path }) => path)]).toEqual([
      'index.html',
      ['a.html', 'index.html'],
    ]);
  });

  it('takes the page that is asked for', async () => {
    const files = [fileOf('index.html'), fileOf('docs/b.html')];
    expect((await prepare(files, './docs/b.html')).main).toBe('docs/b.html');
    await expect(prepare(files, 'c.html')).rejects.toThrow(
      'dist has no file c.html. Pages are: index.html.',
    );
  });

  it('says which of several pages is shown first', async () => {
    note.mockClear();
    const ready = await prepare([fileOf('b.html'), fileOf('a.md'), fileOf('c/a.html')]);
    expect(ready.main).toBe('a.md');
    expect(note).toHaveBeenCalledWith(
      'a.md is shown first; --main chooses another, such as b.html.\n',
    );
  });

  it('names all problems at once', async () => {
    const files = [
      fileOf('index.html'),
      fileOf('img/A.png'),
      fileOf('img/a.png'),
      fileOf('big.bin', new Uint8Array(4 * megabyte + 1)),
      fileOf('a\nb.css'),
    ];
    const error = await prepare(files).catch(({ message }: Error) => message);
    expect(String(error).split('\n')).toEqual([
      expect.stringContaining('big.bin'),
      expect.stringContaining('b.css'),
      expect.stringMatching(/img\/A\.png.* and .*img\/a\.png.* can’t both exist/),
    ]);
  });

  it.each([
    ['no page', [fileOf('a.png')], 'dist has no page to show first.'],
    ['no file', [fileOf('.env')], 'dist has no files to share:'],
    ['an empty page', [fileOf('index.html', '')], 'index.html is empty.'],
    [
      'too long Markdown',
      [fileOf('a.md', 'x'.repeat(512 * 1024 + 1))],
      'a.md is larger than 512 KB.',
    ],
    [
      'HTML of too much gzip',
      [
        fileOf(
          'a.html',
          crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64').repeat(70),
        ),
      ],
      'a.html is too large. HTML can have 16 MB, and 4 MB compressed:',
    ],
  ])('refuses %s', async (_, files, message) => {
    await expect(prepare(files)).rejects.toThrow(message);
  });
});
