import { writeFiles } from './file-blocks.ts';
import { detectFileLanguage } from './file-languages.ts';

/** Writes files as Markdown, each in the language that its name tells. */
export const filesToMarkdown = (
  files: readonly { readonly name: string; readonly text: string }[],
): string =>
  writeFiles(files.map((file) => ({ ...file, language: detectFileLanguage(file.name) })));
