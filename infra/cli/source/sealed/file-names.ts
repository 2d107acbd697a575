import type { SealedFile } from '../../../../functions/web/browser/sealed/content.ts';
import { maxFiles } from '../../../../shared/share-files/limits.ts';
import { checkPaths, isLeftOut } from '../../../../shared/share-files/paths.ts';
import { CliError } from '../error-mapping.ts';

/** The longest name that a file gets whose own can't be used, and the longest ending that it keeps. UTF-16 units. */
const maxNameLength = 100;
const maxEndingLength = 16;

/** Characters that nobody sees and no script needs, by which two names look the same. */
const invisible = String.raw`\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\ufeff`;

const hasInvisible = new RegExp(`[${invisible}]`, 'u');

/** What no system has in a name, or what moves the cursor, turns text around or isn't seen. */
const unfit = new RegExp(
  String.raw`[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069${invisible}<>:"|?*\\/]`,
  'gu',
);

/** The names of devices, which are no files on Windows, whatever their ending. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Whether Windows has a file of this name: `:` leads to another stream, and dots and spaces at the end are lost. */
const isWindowsName = (name: string): boolean =>
  !/[<>:"|?*]|[. ]$/.test(name) && !device.test(name);

interface Place {
  /** The paths that are taken. */
  readonly taken: readonly string[];
  readonly isWindows: boolean;
}

/** Whether a file can be saved by a path beside others, within the folder. */
const canBe = (path: string, { taken, isWindows }: Place): boolean =>
  !isLeftOut(path) &&
  !hasInvisible.test(path) &&
  (!isWindows || path.split('/').every(isWindowsName)) &&
  checkPaths([...taken, path].map((one) => ({ path: one, size: 0 }))).length === 0;

/** Returns a name as what is before its ending, and that. */
const splitEnding = (name: string): readonly [string, string] => {
  const dot = name.lastIndexOf('.');
  return dot > 0 && name.length - dot <= maxEndingLength
    ? [name.slice(0, dot), name.slice(dot)]
    : [name, ''];
};

/** Returns the last part of a name, without what leads elsewhere, hides the file or isn't for a name. */
const toPlainName = (name: string): string => {
  const last = (name.split(/[/\\]/).at(-1) ?? '').replace(unfit, '_');
  const plain = last.replace(/^[. ]+|[. ]+$/g, '').replace(device, '_$1') || 'file';
  const [start, ending] = splitEnding(plain);
  return `${start.slice(0, maxNameLength - ending.length).toWellFormed()}${ending}`;
};

/** The names that a file can get, the best first. */
function* listNames(name: string): Generator<string> {
  yield name;
  const plain = toPlainName(name);
  yield plain;
  const [start, ending] = splitEnding(plain);
  for (let count = 2; ; count++) yield `${start}-${count}${ending}`;
}

/**
 * Returns the paths by which the files of a sealed share are saved in a folder of their own, beside others. Their names come from
 * the author: one that leads out of the folder, hides the file or is there twice is replaced.
 * @throws CliError for more files than a share can have
 */
export const toSavedPaths = (
  files: readonly Pick<SealedFile, 'name'>[],
  beside: readonly string[] = [],
  isWindows = process.platform === 'win32',
): readonly string[] => {
  if (files.length > maxFiles) throw new CliError(`The share has more than ${maxFiles} files.`);
  const taken = [...beside];
  return files.map(({ name }) => {
    for (const path of listNames(name.normalize('NFC'))) {
      if (!canBe(path, { taken, isWindows })) continue;
      taken.push(path);
      return path;
    }
    return '';
  });
};
