import { placeOwnFiles } from '../../../shared/markdown/links-and-images/place-own-files.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { Html, html } from '../../../shared/text/html.ts';
import type { AdmittedShare } from '../../api/share/reading/admission.ts';
import { getTitle } from '../../api/share/record/share.ts';
import { mainId, toArticle } from './article.ts';
import style from './built/saved-style.json' with { type: 'json' };
import { dates } from './markup/byline.ts';
import { sharePageTexts as texts } from './texts.ts';

/** What a saved file can load: images that its text names. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:";

/** Buttons need the script of the page. */
const buttons = /<button [^>]*>.*?<\/button>/gs;

/** Makes links to other shares work from a file. */
const toFullLinks = (markup: string): string =>
  markup.replace(/(<a (?:[^>]* )?href=")(\/s\/)/g, `$1${getSetting('PUBLIC_URL')}$2`);

/** Renders a Markdown share as one file, with the styles of its page in it. `rendered` was sanitized when it was stored. */
export const savedPage = ({ share, reading, author }: AdmittedShare, rendered: string): string => {
  // Addresses with a token end soon: files of a limited share are looked for beside the page.
  const base = reading === 'free' ? `${getSetting('SNIPPETS_URL')}/${share.id}/` : '';
  const placed = placeOwnFiles(rendered, base);
  const { title, heading, body } = toArticle(placed, getTitle(share));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main class="saved" id="${mainId}">
<header>${heading}
${share.description && html`<p class="lead" dir="auto">${share.description}</p>\n`}<p class="about">${texts.by} <bdi>${author}</bdi> · ${dates(share)}</p></header>
<div class="prose" dir="auto">${new Html(toFullLinks(body.markup.replace(buttons, '')))}</div>
</main>
</body>
</html>
`.markup;
};
