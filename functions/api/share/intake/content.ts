// What a visitor hands in, as the content of a share.
import type { FilePart } from '../../../../shared/http/multipart.ts';
import { detectLanguage } from '../../../../shared/markdown/files/content-language.ts';
import { filesToMarkdown } from '../../../../shared/markdown/files/files-to-markdown.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import type { Language } from '../record/share.ts';

/** How a text that is typed is shown. */
export const formats = ['text', 'markdown', 'html'] as const;
export type Format = (typeof formats)[number];

/** The most that can be handed in at once, in bytes of UTF-8. */
export const maxSubmittedBytes = 512 * 1_024;

/** What was typed and chosen. */
export interface Given {
  readonly text: string;
  readonly format: Format;
  readonly files: readonly FilePart[];
}

/** What a visitor has to change: nothing was given, it is too large, or a file that is no text. */
export type Refusal =
  | { readonly reason: 'empty' | 'too-large' }
  | { readonly reason: 'binary'; readonly file: string };

/** The content of a share. */
export interface Content {
  readonly language: Language;
  readonly content: string;
  /** What was given, without what surrounds several files. */
  readonly bytes: number;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

const typedNames: Readonly<Record<Format, string>> = {
  text: 'text.txt',
  markdown: 'text.md',
  html: 'text.html',
};

/** Forms send a line break as two characters, whatever was typed. */
const readTyped = ({ text, format }: Given): NamedText[] =>
  text.trim() === '' ? [] : [{ name: typedNames[format], text: text.replaceAll('\r\n', '\n') }];

const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** A Markdown or HTML file alone is shown as a page; other files and several are blocks of code, as in the composer. */
const toShown = (parts: readonly NamedText[]): Omit<Content, 'bytes'> => {
  const [first, ...others] = parts;
  const language = others.length > 0 || !first ? undefined : detectLanguage(first.name);
  return first && language
    ? { language, content: withoutByteOrderMark(first.text) }
    : { language: 'markdown', content: filesToMarkdown(parts) };
};

/** Returns the content of a share that has all that was given, or why there is none. */
export const toContent = (given: Given): Content | Refusal => {
  const parts = readTyped(given);
  for (const { name, bytes } of given.files) {
    const text = decodeText(bytes)?.text;
    if (text === undefined) return { reason: 'binary', file: name };
    if (text.trim() !== '') parts.push({ name, text });
  }
  if (parts.length === 0) return { reason: 'empty' };
  const bytes = parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return bytes > maxSubmittedBytes ? { reason: 'too-large' } : { ...toShown(parts), bytes };
};
