import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ConflictError } from '../../../../functions/web/browser/client/api-error.ts';
import { joinLink } from '../../../../functions/web/browser/sealed/link.ts';
import { connect, getUsedUrl } from '../connection.ts';
import { CliError, explain } from '../error-mapping.ts';
import { withoutInterruption } from '../interruption.ts';
import { connectToChange, keyRequired, readKeyed } from '../sealed/link.ts';
import { openOwn } from '../sealed/open.ts';
import type { PassphraseOption } from '../sealed/passphrase.ts';
import { saveText } from '../sealed/send.ts';
import { note, print } from '../terminal/output.ts';
import { readTextFile } from './content.ts';
import { type FullShare, readOwn } from './reading.ts';
import { changeShare } from './sending.ts';

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

/** A text to edit, and what saves it. */
interface Editable extends Pick<FullShare, 'content' | 'language' | 'url'> {
  readonly save: (edited: string) => Promise<unknown>;
}

/** Reads a share of the user, and opens a sealed one on this machine. @throws ApiError; CliError */
const openToEdit = async (given: string, passphrase: PassphraseOption): Promise<Editable> => {
  const keyed = readKeyed(given);
  if (keyed) {
    const client = await connectToChange(keyed);
    const opened = await openOwn(client, keyed, passphrase);
    const { text: content, language } = opened.content;
    const url = joinLink(opened.share.url, keyed.fragment);
    const { version } = opened.share;
    const save = (edited: string) =>
      saveText(client, opened, { content: edited, language }, { version });
    return { content, language, url, save };
  }
  const client = await connect();
  const share = await readOwn(client, given);
  if (share.sealed) throw keyRequired();
  const { id, version, content, language, url } = share;
  const save = (edited: string) =>
    changeShare(client, { id, version }, { text: { content: edited, language } }, {});
  return { content, language, url, save };
};

/** Adds `edit`. */
export const addEditCommand = (program: Command): void => {
  program
    .command('edit')
    .argument('<share>', 'an id, a name or an address; of a sealed share its whole link, in quotes')
    .option('--passphrase [text]', 'of a sealed share; asked for if it is left out')
    .description('edit one of your shares in $EDITOR')
    .action(async (given: string, { passphrase }: { passphrase?: string | true }) => {
      const { content, language, url, save } = await openToEdit(given, passphrase);
      const folder = await mkdtemp(join(tmpdir(), 'handbill-'));
      const file = join(folder, `share.${language === 'html' ? 'html' : 'md'}`);
      await writeFile(file, content, { mode: 0o600 });
      let isKept = false;
      try {
        await runEditor(file);
        const edited = await readTextFile(file);
        if (edited === content) return note('Nothing has changed.');
        isKept = true;
        await save(edited);
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
