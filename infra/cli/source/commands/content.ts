import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  detectLanguage,
  isHtmlSource,
} from '../../../../shared/markdown/files/content-language.ts';
import { filesToMarkdown } from '../../../../shared/markdown/files/files-to-markdown.ts';
import {
  maxHtmlBytes,
  maxHtmlGzipBytes,
  maxMarkdownBytes,
} from '../../../../shared/share-files/limits.ts';
import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { CliError, usageError } from '../error-mapping.ts';
import { readStdin } from '../terminal/input.ts';
import { note } from '../terminal/output.ts';

type Language = 'markdown' | 'html';

/** What is shared. */
export interface Content {
  readonly content: string;
  readonly language: Language;
  /** The name of a file, by which a share is called that is given no title and has none in front matter. */
  readonly fileName?: string;
  /** The names of several files. */
  readonly title?: string;
}

/** How to read content whose name doesn't tell. */
export interface ContentOptions {
  /** Whether it is sealed here, so that no service converts it. */
  readonly isSealed?: boolean | undefined;
  readonly language?: Language;
  readonly name?: string;
}

/** Decodes a text. @throws CliError if it is none, or empty */
export const toText = (bytes: Uint8Array, name: string): string => {
  const decoded = decodeText(bytes);
  if (!decoded) {
    throw new CliError(`${name} is no text in UTF-8, UTF-16 with a mark, or Windows-1252.`);
  }
  const { text, encoding } = decoded;
  if (text === '') throw new CliError(`${name} is empty.`);
  if (encoding !== undefined) note(`${name} isn’t in UTF-8. It was read as ${encoding}.`);
  return text;
};

/** @throws CliError if it is no text or too large */
export const readTextFile = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new CliError(`${path} is a folder.`);
    if (stats.size > maxHtmlBytes)
      throw new CliError(`${path} is larger than ${formatBytes(maxHtmlBytes)}.`);
    return toText(await file.readFile(), path);
  } finally {
    await file.close();
  }
};

const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** The name of the lines of an input that has none. */
const inputName = 'input.txt';

const detect = (text: string, name: string | undefined): Language | undefined => {
  if (name !== undefined) return detectLanguage(name);
  return isHtmlSource(text) ? 'html' : undefined;
};

/** A page of Markdown or HTML, or lines, by its name; without a name, HTML that looks like it and lines otherwise. */
export const toContent = (text: string, { language, name }: ContentOptions): Content => {
  const named = name === undefined ? {} : { fileName: name };
  const shown = language ?? detect(text, name);
  if (shown) return { ...named, content: withoutByteOrderMark(text), language: shown };
  const content = filesToMarkdown([{ name: name ?? inputName, text }]);
  return { ...named, content, language: 'markdown' };
};

const htmlLimits = `${formatBytes(maxHtmlBytes)}, and ${formatBytes(maxHtmlGzipBytes)} compressed`;

/** Refuses Markdown that is too large here, because the gateway’s 413 has no words. @throws CliError */
export const assertMarkdownSize = ({ content, language }: Content): void => {
  if (language !== 'markdown' || countBytes(content) <= maxMarkdownBytes) return;
  throw new CliError(
    `This is larger than ${formatBytes(maxMarkdownBytes)}, the most of Markdown and of lines. HTML can have ${htmlLimits}; files beside a page are shared with --main.`,
  );
};

const readTexts = async (paths: readonly string[], options: ContentOptions): Promise<Content> => {
  const [path = '-', ...others] = paths;
  if (path === '-' && others.length === 0) {
    return toContent(toText(await readStdin(), 'The input'), options);
  }
  if (paths.includes('-')) throw usageError('Share either the input or files.');
  if (others.length === 0) {
    return toContent(await readTextFile(path), { name: basename(path), ...options });
  }
  const files = [];
  for (const each of paths) files.push({ name: basename(each), text: await readTextFile(each) });
  const title = files
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 200);
  return { title, content: filesToMarkdown(files), language: 'markdown' };
};

/** Reads what is to be shared: a file, several as code, or the input. @throws CliError */
export const readContent = async (
  paths: readonly string[],
  options: ContentOptions,
): Promise<Content> => {
  const content = await readTexts(paths, options);
  if (!options.isSealed) assertMarkdownSize(content);
  return content;
};
