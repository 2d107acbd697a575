import { contentDisposition } from '../../../shared/http/content/content-disposition.ts';
import { contentTypes } from '../../../shared/http/http.ts';
import { pickFile } from '../../../shared/markdown/files/file-blocks.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { AdmittedShare } from '../../api/share/reading/admission.ts';
import { getTitle } from '../../api/share/record/share.ts';
import { fileName, sharedFileName } from './file-name.ts';

/** What a reader gets or downloads: the source, a file in it, or the page of Markdown as one HTML file. */
interface Downloaded {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const asFile = (name: string) => ({
  'content-disposition': contentDisposition(name, 'attachment'),
});

/** Returns the page as one file, which is named by the share's title. */
export const toSavedPage = async (admitted: AdmittedShare): Promise<Downloaded> => {
  const rendered = await admitted.readText('page');
  // Loaded when someone saves a page: its styles are long.
  const { savedPage } = await import('./saved-page.ts');
  const name = fileName(getTitle(admitted.share), 'html');
  const headers = { 'content-type': contentTypes.html, ...asFile(name) };
  return { text: savedPage(admitted, rendered), headers };
};

/**
 * Returns the source, or the exact text of a file in it: that of the name, or the only one.
 * @throws AppError NOT_FOUND if there is no file with this name
 */
export const toSource = async (
  admitted: AdmittedShare,
  name: string | undefined,
  isDownload: boolean,
): Promise<Downloaded> => {
  const { share } = admitted;
  const text = await admitted.readText('source');
  const file = share.language === 'markdown' ? pickFile(text, name) : undefined;
  if (file)
    return { text: file.text, headers: isDownload ? asFile(sharedFileName(file.name)) : {} };
  if (name !== undefined) throw new AppError('NOT_FOUND', 'The share has no file with this name.');
  if (!isDownload) return { text, headers: {} };
  const extension = share.language === 'html' ? 'html' : 'md';
  return { text, headers: asFile(fileName(getTitle(share), extension)) };
};
