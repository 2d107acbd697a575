import { type Html, html } from '../../../shared/text/html.ts';
import type { ScriptName } from './asset.ts';
import { document } from './document.ts';
import { siteTexts } from './texts.ts';
import type { Theme } from './theme.ts';

/** A page outside the console that is one card, such as a form. */
export interface CardPage {
  readonly title: string;
  /** By default, the title. */
  readonly heading?: string;
  readonly theme: Theme | undefined;
  readonly scripts?: readonly ScriptName[];
  /** Above the heading, such as why one is here. */
  readonly note?: string | undefined;
  readonly content: Html;
  /** Below the card, such as the way to another page. */
  readonly after?: Html;
}

/** Renders a page of a single card below the brand. */
export const card = ({
  title,
  heading = title,
  theme,
  scripts = [],
  note,
  content,
  after,
}: CardPage): string =>
  document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    kind: 'card-page',
    styles: ['ui.css'],
    scripts,
    contentId: 'page',
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1"><div class="card">
${note && html`<p class="note" role="status"><i class="i-info" aria-hidden="true"></i><span>${note}</span></p>\n`}<h1>${heading}</h1>
${content}
</div>${after && html`\n<p>${after}</p>`}</main>`,
  });
