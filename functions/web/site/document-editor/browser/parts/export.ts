import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import type { Document } from './state.ts';

/** The styles of an exported page, which stands alone. */
const styles = `:root{color-scheme:light dark}
body{max-width:44rem;margin:2.5rem auto;padding:0 1.25rem;font:1rem/1.65 system-ui,sans-serif;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{line-height:1.25}pre{padding:1rem;overflow:auto;border:1px solid #8884;border-radius:8px}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}img{max-width:100%}blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid #8886}
table{border-collapse:collapse}th,td{padding:.35rem .6rem;border:1px solid #8886}`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Characters that file systems don’t allow in names. */
const unsafe = /[\s\p{Cc}\\/:*?"<>|]+/gu;

const toFileName = (title: string): string =>
  title
    .replace(unsafe, ' ')
    .replace(/^[ .]+| +$/g, '')
    .slice(0, 100) || texts.title;

const download = (text: string, name: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read it after this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Saves the text of a document as a file: what is written, as it is. */
export const exportText = ({ title, type }: Document, content: string): void => {
  const [extension, mime] =
    type === 'markdown'
      ? ['md', 'text/markdown']
      : type === 'html'
        ? ['html', 'text/html']
        : ['txt', 'text/plain'];
  download(content, `${toFileName(title)}.${extension}`, mime ?? 'text/plain');
};

/** Saves a Markdown document as a page that needs nothing else. */
export const exportHtml = async (document: Document, markdown: string): Promise<void> => {
  const { title } = document;
  try {
    const { html } = await api.call('POST /api/markdown', { body: { markdown } });
    const page = `<!doctype html>
<html lang="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${styles}
</style>
</head>
<body dir="auto">
${html}
</body>
</html>
`;
    download(page, `${toFileName(title)}.html`, 'text/html');
  } catch (error) {
    showFailure(texts.notExported((error as Error).message), () => exportHtml(document, markdown));
  }
};
