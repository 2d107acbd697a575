import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createConfinement } from '../../../infra/cli/source/assistants/confinement.ts';
import { readToShare } from '../../../infra/cli/source/assistants/given.ts';
import { readChecked } from '../../../infra/cli/source/folder/checked-file.ts';
import { listFolder } from '../../../infra/cli/source/folder/walk.ts';
import { temporaryFolder } from '../../support/run/process.ts';

const createFiles = async (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
};

/** A project, with secrets of its own and others beside it. */
const createProject = async () => {
  const top = await temporaryFolder();
  const root = join(top, 'project');
  await createFiles(top, {
    'project/site/index.html': 'Page',
    'project/notes.md': '# Notes',
    'project/.env': 'TOKEN=1',
    'project/.git/config': 'url',
    'project/site/.ssh/id_ed25519': 'KEY',
    'project-old/secret.txt': 'SECRET',
    'secret.txt': 'SECRET',
  });
  return { top, root };
};

const refusal = (path: string, rule: string) =>
  expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${path}: .*${rule}`)) });

describe('what an assistant may read', () => {
  it('is what is in the root, by any path that leads there', async () => {
    const { root } = await createProject();
    await symlink('notes.md', join(root, 'link.md'));
    await symlink('..', join(root, 'site/up'));
    const { resolve } = await createConfinement({ roots: [root] });
    const notes = { real: join(root, 'notes.md'), name: 'notes.md', isFolder: false };
    for (const path of [
      'notes.md',
      './site/../notes.md',
      join(root, 'notes.md'),
      'link.md',
      'site/up/notes.md',
    ]) {
      expect(await resolve(path)).toEqual(notes);
    }
    expect(await resolve('.')).toEqual({ real: root, name: 'project', isFolder: true });
  });

  const outside = 'is outside of ';
  const dot = 'begin with a dot are never read';
  it.each([
    ['a path above', '../secret.txt', outside],
    ['a path that goes down and up', 'site/../../secret.txt', outside],
    ['an absolute path', '/etc/passwd', outside],
    ['a folder whose name only begins like the root', '../project-old/secret.txt', outside],
    ['the folder above', '..', outside],
    ['a home folder that no shell expands', '~/.ssh/id_rsa', 'there is no such file'],
    ['an address of a file', 'file:///etc/passwd', 'there is no such file'],
    ['a link to a file outside', 'out.txt', 'leads out of .* by a link'],
    ['a file through a link to a folder outside', 'out/secret.txt', 'leads out of .* by a link'],
    ['a link to a link that leads out', 'chain', 'leads out of .* by a link'],
    ['a link to a device', 'zero', 'leads out of .* by a link'],
    ['a pipe', 'pipe', 'is neither a file nor a folder'],
    ['a dot-file', '.env', dot],
    ['a file in a dot-folder', '.git/config', dot],
    ['a key of a deeper folder', 'site/.ssh/id_ed25519', dot],
    ['a dot-file behind a link', 'env.txt', dot],
    ['a link in a dot-folder to an open file', '.git/notes', dot],
    ['no path', '', 'is no path'],
    ['a path with a NUL', 'notes.md\0.png', 'is no path'],
  ])('refuses %s', async (_, path, rule) => {
    const { top, root } = await createProject();
    await symlink('../secret.txt', join(root, 'out.txt'));
    await symlink(top, join(root, 'out'));
    await symlink('out.txt', join(root, 'chain'));
    await symlink('/dev/zero', join(root, 'zero'));
    await symlink('.env', join(root, 'env.txt'));
    await symlink('../notes.md', join(root, '.git/notes'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const { resolve } = await createConfinement({ roots: [root] });
    await expect(resolve(path)).rejects.toThrow(new RegExp(rule));
  });

  it('shows what a terminal would obey in a path', async () => {
    const { root } = await createProject();
    const { resolve } = await createConfinement({ roots: [root] });
    await expect(resolve('a\u001b[31m')).rejects.toEqual(refusal('a\\\\x1b\\[31m', 'no such file'));
  });

  it('is in several roots, of which the innermost decides', async () => {
    const { top, root } = await createProject();
    const { resolve } = await createConfinement({
      roots: [root, join(root, 'site/.ssh'), join(top, 'project-old')],
    });
    expect(await resolve('../project-old/secret.txt')).toMatchObject({ name: 'secret.txt' });
    expect(await resolve('site/.ssh/id_ed25519')).toMatchObject({ name: 'id_ed25519' });
    await expect(resolve('../secret.txt')).rejects.toThrow(outside);
  });

  it('is all but dot-files where everything is open', async () => {
    const { top, root } = await createProject();
    const { resolve } = await createConfinement({ roots: [root], isAnywhere: true });
    expect(await resolve('../secret.txt')).toMatchObject({ real: join(top, 'secret.txt') });
    await expect(resolve(join(top, 'project/.env'))).rejects.toThrow(dot);
    await expect(resolve('/dev/zero')).rejects.toThrow('is neither a file nor a folder');
  });

  it('is nothing by default in a folder that has the home folder in it', async () => {
    for (const folder of ['/', homedir()]) {
      const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
      const { resolve } = await createConfinement({});
      await expect(resolve('notes.md')).rejects.toThrow(
        `notes.md: no folder is open, because handbill mcp was started in ${folder}.`,
      );
      cwd.mockRestore();
    }
  });

  it('takes no root that is no folder', async () => {
    const { root } = await createProject();
    const roots = [join(root, 'notes.md')];
    await expect(createConfinement({ roots })).rejects.toThrow(/^--root .* is no folder\.$/);
  });

  it('refuses a folder with a link that leads out, and sends none of its dot-files', async () => {
    const { top, root } = await createProject();
    const { resolve } = await createConfinement({ roots: [root] });
    const shared = await readToShare(await resolve('site'), {});
    expect(shared).toMatchObject({ files: { files: [{ path: 'index.html' }] } });
    await symlink(join(top, 'secret.txt'), join(root, 'site/data.txt'));
    await expect(readToShare(await resolve('site'), {})).rejects.toThrow(
      /^data\.txt is a link that leads out of /,
    );
  });
});

describe('a file that is exchanged after its path was checked', () => {
  it('is not read, whether itself or a folder above it has become a link', async () => {
    const { top, root } = await createProject();
    const place = join(root, 'site/index.html');
    await createFiles(top, { 'other/index.html': 'SECRET' });
    const [listed] = await listFolder(join(root, 'site'));
    expect(String(await readChecked(place, 100))).toBe('Page');

    await rename(join(root, 'site'), join(root, 'kept'));
    await symlink(join(top, 'other'), join(root, 'site'));
    await expect(readChecked(place, 100)).rejects.toThrow('was exchanged while it was read');
    await expect(listed?.read()).rejects.toThrow('was exchanged while it was read');

    await rm(join(root, 'site'));
    await mkdir(join(root, 'site'));
    await symlink(join(top, 'secret.txt'), place);
    await expect(readChecked(place, 100)).rejects.toThrow('was exchanged while it was read');
  });

  it('is not read when it has become a pipe or a folder, or has grown', async () => {
    const { root } = await createProject();
    const place = join(root, 'notes.md');
    await writeFile(place, 'x'.repeat(101));
    await expect(readChecked(place, 100)).rejects.toThrow('is larger than 100 bytes');
    await rm(place);
    execFileSync('mkfifo', [place]);
    await expect(readChecked(place, 100)).rejects.toThrow('is neither a file nor a folder');
    await rm(place);
    await mkdir(place);
    await expect(readChecked(place, 100)).rejects.toThrow('is neither a file nor a folder');
  });
});
