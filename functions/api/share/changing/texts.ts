import * as markdown from '../../../../shared/markdown/markdown.ts';
import { findTitle } from '../../../../shared/markdown/page/title.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import type { Texts } from '../../../../shared/storage/stored-text.ts';
import type { Language } from '../record/share.ts';

const sizeLimits: Readonly<Record<Language, { bytes: number; text: string }>> = {
  html: { bytes: 2 * 1024 * 1024, text: '2 MB' },
  markdown: { bytes: 512 * 1024, text: '512 KB' },
};

/** More CPU time than POST /api/markdown has: the content may be larger and is converted once for all readers. */
const conversionOptions = { field: 'content', cpuMs: 3_000 } as const;

/**
 * The response limit of Lambda (6 MB) minus the other fields of a share. The body is a string within JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxResponseBytes = 5.5 * 1024 * 1024;

const tooLargeError = (message: string, detail: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ field: 'content', message: detail }] });

/** Lambda would reject larger responses after the view is counted. */
const assertFitsResponse = ({ source, html }: Texts): void => {
  if (
    Buffer.byteLength(JSON.stringify(JSON.stringify({ content: source, html }))) <= maxResponseBytes
  )
    return;
  throw tooLargeError(
    'The content is too large as JSON. Shorten it, or use fewer quotes and line breaks.',
    'is too large as JSON; shorten it, or use fewer quotes, line breaks and control characters',
  );
};

/**
 * Creates the texts of a share: the source, and for Markdown the HTML of the API and of the page, rendered only here.
 * @throws AppError PAYLOAD_TOO_LARGE; UNPROCESSABLE if the Markdown is too slow to convert; VALIDATION_ERROR for lone
 *   surrogates
 */
export const toTexts = async (language: Language, content: string): Promise<Texts> => {
  const limit = sizeLimits[language];
  if (!content.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  if (Buffer.byteLength(content) > limit.bytes) {
    throw tooLargeError(
      `The content is larger than ${limit.text}.`,
      `must be at most ${limit.text} (UTF-8)`,
    );
  }
  const rendered = language === 'markdown' && (await markdown.render(content, conversionOptions));
  const texts = { source: content, ...rendered };
  assertFitsResponse(texts);
  return texts;
};

/** Returns the title that the texts of Markdown have by themselves. */
export const findContentTitle = ({ page }: Texts): string | undefined =>
  page === undefined ? undefined : findTitle(page);
