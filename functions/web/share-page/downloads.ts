import { contentDisposition } from '../../../shared/http/content/content-disposition.ts';
import { negotiateContent } from '../../../shared/http/content/content-negotiation.ts';
import { contentTypes } from '../../../shared/http/http.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import { pickFile } from '../../../shared/markdown/files/file-blocks.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getContentType } from '../../../shared/share-files/types.ts';
import type { ManifestFile } from '../../api/share/files/manifest.ts';
import type { AdmittedShare } from '../../api/share/reading/admission.ts';
import { readFile } from '../../api/share/reading/files.ts';
import { getTitle } from '../../api/share/record/share.ts';
import { isPicture } from './file-article.ts';
import { fileName, sharedFileName } from './file-name.ts';

/** How a file is asked for. */
interface AskedFile {
  readonly name: string | undefined;
  readonly isDownload: boolean;
  readonly headers: Parameters<typeof negotiateContent>[1];
  readonly caches: 'public' | 'private' | undefined;
}

const unknownFile = () => new AppError('NOT_FOUND', 'The share has no file with this name.');

/** What a reader gets or downloads: the source, a file in it, or the page of Markdown as one HTML file. */
interface Downloaded {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const asFile = (name: string) => ({
  'content-disposition': contentDisposition(name, 'attachment'),
});

/** What browsers show of a file that they open by itself, without a script. PDF isn’t shown in a sandbox. */
const filePolicy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/**
 * Creates the reply with a file that is all of a share, for who asks for it by its name or by none.
 * @throws AppError NOT_FOUND if it has another name; as `readFile`
 */
export const replyWithSingleFile = async (
  admitted: AdmittedShare,
  file: ManifestFile,
  { name, isDownload, headers, caches }: AskedFile,
): Promise<Reply<string | Uint8Array>> => {
  if (name !== undefined && name !== file.path) throw unknownFile();
  const { path, size, sha256, type } = file;
  const isShown = isPicture(file) && !isDownload;
  const content = {
    hash: Buffer.from(sha256, 'hex').toString('base64url'),
    size,
    isCompressible: type === 'image/svg+xml',
    read: () => readFile({ admitted }, file),
  };
  return negotiateContent(content, headers, {
    caches,
    hidesLength: admitted.reading !== 'free',
    headers: {
      'content-security-policy': filePolicy,
      'content-type': getContentType(type),
      ...(isShown ? {} : asFile(sharedFileName(path))),
    },
  });
};

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
  if (name !== undefined) throw unknownFile();
  if (!isDownload) return { text, headers: {} };
  const extension = share.language === 'html' ? 'html' : 'md';
  return { text, headers: asFile(fileName(getTitle(share), extension)) };
};
