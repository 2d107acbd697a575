import { countGzipBytes } from '../../../../shared/http/content/compression.ts';
import type { OwnFiles } from '../../../../shared/markdown/links-and-images/own-files.ts';
import * as markdown from '../../../../shared/markdown/markdown.ts';
import { findTitle } from '../../../../shared/markdown/page/title.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import {
  maxHtmlBytes,
  maxHtmlGzipBytes,
  maxMarkdownBytes,
} from '../../../../shared/share-files/limits.ts';
import type { Texts } from '../../../../shared/storage/stored-text.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import type { PreparedContent } from './prepared-files.ts';

/** More CPU time than POST /api/markdown has: the content may be larger and is converted once for all readers. */
const conversionOptions = { field: 'content', cpuMs: 3_000 } as const;

/** The most bytes of a content’s JSON as gzip: a response has other fields of the share, too. */
const maxJsonGzipBytes = 4.25 * 1024 * 1024;

/** Gzip makes no text longer than a response takes up to this size. */
const surelyFittingBytes = 4 * 1024 * 1024;

const tooLargeError = (message: string, detail: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ field: 'content', message: detail }] });

const htmlTooLarge = (exceeded: 'text' | 'gzip'): AppError => {
  const most = {
    text: `${formatBytes(maxHtmlBytes)} of text`,
    gzip: `${formatBytes(maxHtmlGzipBytes)} of gzip`,
  } as const;
  const limits = `${most.text} and ${most.gzip}`;
  return tooLargeError(
    `The HTML has more than ${most[exceeded]}. It can have ${limits}. Move images, styles, scripts and data to files of the share: POST /api/share/uploads.`,
    `must be at most ${limits}; move images, styles, scripts and data to files of the share`,
  );
};

/** @throws AppError PAYLOAD_TOO_LARGE */
const assertHtmlSize = async (content: string): Promise<void> => {
  const bytes = Buffer.byteLength(content);
  if (bytes > maxHtmlBytes) throw htmlTooLarge('text');
  if (bytes <= surelyFittingBytes) return;
  if ((await countGzipBytes(content)) > maxHtmlGzipBytes) throw htmlTooLarge('gzip');
};

/** @throws AppError PAYLOAD_TOO_LARGE */
const assertMarkdownSize = (content: string): void => {
  if (Buffer.byteLength(content) <= maxMarkdownBytes) return;
  const most = formatBytes(maxMarkdownBytes);
  throw tooLargeError(`The Markdown is larger than ${most}.`, `must be at most ${most} (UTF-8)`);
};

/**
 * Asserts that every client which accepts gzip can read the texts: Lambda would reject a larger response after the view is
 * counted (decisions.md#sizes-of-shares).
 * @throws AppError PAYLOAD_TOO_LARGE
 */
const assertFitsResponse = async ({ source, html }: Texts): Promise<void> => {
  const json = JSON.stringify({ content: source, html });
  if (Buffer.byteLength(json) <= surelyFittingBytes) return;
  if ((await countGzipBytes(json)) <= maxJsonGzipBytes) return;
  throw tooLargeError(
    'The content is too large as JSON. Shorten it, or use fewer quotes and control characters.',
    'is too large as JSON; shorten it, or use fewer quotes, line breaks and control characters',
  );
};

/** What a share says, and the paths of its files. */
interface Content extends Pick<PreparedContent, 'language' | 'source' | 'sealed'> {
  readonly files?: PreparedContent['files'];
}

const toOwnFiles = (files: Content['files']): OwnFiles | undefined =>
  files && { main: files.main, paths: files.files.map(({ path }) => path) };

/**
 * Creates the texts of a share: the source, and for Markdown the HTML of the API and of the page, rendered only here. An envelope is
 * only that.
 * @throws AppError PAYLOAD_TOO_LARGE; UNPROCESSABLE if the Markdown is too slow to convert; VALIDATION_ERROR for lone
 *   surrogates
 */
export const toTexts = async ({ language, source, files, sealed }: Content): Promise<Texts> => {
  if (sealed) return { source };
  if (!source.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  if (language === 'markdown') assertMarkdownSize(source);
  else await assertHtmlSize(source);
  const rendered =
    language === 'markdown' &&
    (await markdown.render(source, conversionOptions, toOwnFiles(files)));
  const texts = { source, ...rendered };
  await assertFitsResponse(texts);
  return texts;
};

/** Returns the title that the texts of Markdown have by themselves. */
export const findContentTitle = ({ page }: Texts): string | undefined =>
  page === undefined ? undefined : findTitle(page);
