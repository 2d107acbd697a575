import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CliError } from '../error-mapping.ts';

type Program = readonly [name: string, ...args: string[]];

/** Runs a program with a text as its input, and returns whether it succeeded. */
const succeeds = async ([name, ...args]: Program, input: string): Promise<boolean> => {
  const child = spawn(name, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'exit').catch(() => [1]);
  return code === 0;
};

const clipboards: readonly Program[] = [
  ['pbcopy'],
  ['clip.exe'],
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
];

/** Copies a text to the clipboard. @throws CliError if there is no program for that */
export const copy = async (text: string): Promise<void> => {
  for (const program of clipboards) {
    if (await succeeds(program, text)) return;
  }
  throw new CliError('Nothing was copied: install wl-copy, xclip or xsel.');
};

const openers = (url: string): readonly Program[] =>
  process.platform === 'win32'
    ? [['rundll32', 'url.dll,FileProtocolHandler', url]]
    : [
        ['open', url],
        ['xdg-open', url],
      ];

/** Opens an address in the browser. @throws CliError if there is no program for that */
export const open = async (url: string): Promise<void> => {
  for (const program of openers(url)) {
    if (await succeeds(program, '')) return;
  }
  throw new CliError(`No browser was found: open ${url} yourself.`);
};
