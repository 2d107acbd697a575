import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ConflictError } from '../../../../functions/web/browser/client/api-error.ts';
import { connect, getUsedUrl } from '../connection.ts';
import { CliError, explain } from '../error-mapping.ts';
import { withoutInterruption } from '../interruption.ts';
import { note, print } from '../terminal/output.ts';
import { readTextFile } from './content.ts';
import { changeShare } from './sending.ts';
import { readOwn } from './shares.ts';

const { env } = process;

const findEditor = (): string =>
  env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');

/** Opens a file in the editor, and waits for it. @throws CliError if it fails */
const runEditor = async (file: string): Promise<void> => {
  const editor = findEditor();
  await withoutInterruption(async () => {
    // A shell, because editors are set with options, such as `code --wait`.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new CliError(`The editor failed, so nothing was changed: ${editor}`);
  });
};

/** Adds `edit`. */
export const addEditCommand = (program: Command): void => {
  program
    .command('edit')
    .argument('<share>', 'an id, a name or an address')
    .description('edit one of your shares in $EDITOR')
    .action(async (given: string) => {
      const client = await connect();
      const { id, content, language, version, url } = await readOwn(client, given);
      const folder = await mkdtemp(join(tmpdir(), 'handbill-'));
      const file = join(folder, `share.${language === 'html' ? 'html' : 'md'}`);
      await writeFile(file, content, { mode: 0o600 });
      let isKept = false;
      try {
        await runEditor(file);
        const edited = await readTextFile(file);
        if (edited === content) return note('Nothing has changed.');
        isKept = true;
        await changeShare(client, { id, version }, { text: { content: edited, language } }, {});
        isKept = false;
        print(url);
      } catch (error) {
        if (!isKept) throw error;
        const { message, exitCode } =
          error instanceof ConflictError
            ? new CliError('The share was changed meanwhile.')
            : explain(error, getUsedUrl());
        throw new CliError(`${message} Your text is in ${file}`, exitCode);
      } finally {
        if (!isKept) await rm(folder, { recursive: true, force: true });
      }
    });
};
