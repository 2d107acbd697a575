import { maxTitleLength } from '../../../../shared/input/share-limits.ts';
import { detectLanguage, toTitle } from '../../../../shared/markdown/files/content-language.ts';
import type { PreparedContent } from './prepared-files.ts';
import { archiveName, type SentFiles } from './sent-files.ts';

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns the title of a share with files that has none: the name of its archive, its only file or its page. `index` says
 * nothing, and Markdown has its own.
 */
export const findFilesTitle = (
  sent: SentFiles | undefined,
  { files, language }: PreparedContent,
): string | undefined => {
  const [first] = sent?.parts ?? [];
  const archive = sent?.isArchive && first ? first.name : archiveName;
  if (archive !== archiveName) return archive.replace(/\.zip$/i, '').slice(0, maxTitleLength);
  if (!files) return undefined;
  const name = baseName(files.main);
  if (!files.isOnly && (language === 'markdown' || /^index\./i.test(name))) return undefined;
  return (detectLanguage(name) ? toTitle(name) : name).slice(0, maxTitleLength);
};
