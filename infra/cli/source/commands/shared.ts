import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxFileBytes } from '../../../../shared/share-files/limits.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { CliError } from '../error-mapping.ts';
import { readFiles, readType } from '../folder/given.ts';
import type { PageOptions, ReadyFiles } from '../folder/prepare.ts';
import { type Content, type ContentOptions, readContent } from './content.ts';

/** What is shared: a text, one file that is none, or files with a main page. */
export type Shared =
  | { readonly text: Content }
  | { readonly file: File }
  | { readonly files: ReadyFiles };

/** A picture or a PDF has a page of its own. */
export const isShownAlone = /^(image\/(?!svg)|application\/pdf$)/;

const readFileAlone = async (path: string): Promise<File> => {
  if ((await stat(path)).size > maxFileBytes) {
    throw new CliError(`${path} is larger than ${formatBytes(maxFileBytes)}.`);
  }
  return new File([await readFile(path)], basename(path));
};

/** Reads what is to be shared, and checks what can be told here. @throws CliError that names all problems */
export const readShared = async (
  paths: readonly string[],
  { main, ...options }: ContentOptions & PageOptions,
): Promise<Shared> => {
  const isInput = paths.length === 0 || paths.includes('-');
  const files = isInput ? undefined : await readFiles(paths, { main, isSealed: options.isSealed });
  if (files) return { files };
  const [path] = paths;
  if (!isInput && path !== undefined && paths.length === 1 && options.language === undefined) {
    if (isShownAlone.test(await readType(path))) return { file: await readFileAlone(path) };
  }
  return { text: await readContent(paths, options) };
};
