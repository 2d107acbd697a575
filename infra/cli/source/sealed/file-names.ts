import type { SealedFile } from '../../../../functions/web/browser/sealed/content.ts';
import { maxFiles } from '../../../../shared/share-files/limits.ts';
import { checkPaths, isLeftOut } from '../../../../shared/share-files/paths.ts';
import { CliError } from '../error-mapping.ts';

/** The longest name that a file gets whose own can't be used. UTF-16 units. */
const maxNameLength = 100;

/** Whether a file can be saved by a path beside others, within the folder. */
const canBe = (path: string, others: readonly string[]): boolean =>
  !isLeftOut(path) &&
  checkPaths([...others, path].map((one) => ({ path: one, size: 0 }))).length === 0;

/** Returns the last part of a name, without what leads elsewhere, hides the file or moves the cursor. */
const toPlainName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, maxNameLength)
    .normalize('NFC');

/** The names that a file can get, the best first. */
function* listNames(name: string): Generator<string> {
  yield name;
  const plain = toPlainName(name) || 'file';
  yield plain;
  const dot = plain.lastIndexOf('.');
  const end = dot > 0 ? dot : plain.length;
  for (let count = 2; ; count++) yield `${plain.slice(0, end)}-${count}${plain.slice(end)}`;
}

/**
 * Returns the paths by which the files of a sealed share are saved in a folder of their own, beside others. Their names come from the author:
 * one that leads out of the folder, hides the file or is there twice is replaced.
 * @throws CliError for more files than a share can have
 */
export const toSavedPaths = (
  files: readonly Pick<SealedFile, 'name'>[],
  beside: readonly string[] = [],
): readonly string[] => {
  if (files.length > maxFiles) throw new CliError(`The share has more than ${maxFiles} files.`);
  const taken = [...beside];
  return files.map(({ name }) => {
    for (const path of listNames(name)) {
      if (!canBe(path, taken)) continue;
      taken.push(path);
      return path;
    }
    return '';
  });
};
