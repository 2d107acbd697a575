import { type Html, html } from '../../../shared/text/html.ts';
import type { ScriptName, StyleName } from './asset.ts';
import { document } from './document.ts';
import { siteTexts } from './texts.ts';
import type { Theme } from './theme.ts';

/** A page outside the console that shows one card at a time. */
export interface CardFrame {
  readonly title: string;
  readonly theme: Theme | undefined;
  readonly scripts?: readonly ScriptName[];
  /** Further elements of the head. */
  readonly head?: Html;
  /** In addition to those of all cards. */
  readonly styles?: readonly StyleName[];
  /** Whether the page works without its scripts. */
  readonly isReadable?: boolean;
}

/** A page of one card, such as a form. */
export interface CardPage extends CardFrame {
  /** By default, the title. */
  readonly heading?: string;
  /** Above the heading, such as why one is here. */
  readonly note?: { readonly text: string; readonly isWarning: boolean } | undefined;
  readonly content: Html;
  /** Below the content, such as the way to another page. */
  readonly after?: Html;
  /** Behind the card, such as what a script shows in its place. */
  readonly templates?: Html;
}

/** Renders why one is at a page. */
const renderNote = ({ text, isWarning }: NonNullable<CardPage['note']>): Html =>
  html`<p class="note why${isWarning ? ' warn' : ''}" role="status"><i class="i-info" aria-hidden="true"></i><span>${text}</span></p>\n`;

const needsScript = html`<noscript><p class="note warn">${siteTexts.needsScript}</p></noscript>\n`;

/** Renders a page of cards, of which one is shown, below the brand. */
export const cardFrame = (
  { title, theme, head, styles = [], scripts = [], isReadable = scripts.length === 0 }: CardFrame,
  cards: Html,
): string =>
  document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    ...(head && { head }),
    kind: 'gate',
    styles: ['gate.css', 'card.css', ...styles],
    scripts,
    // It says so above its card.
    isReadable: true,
    contentId: 'page',
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1">${isReadable ? undefined : needsScript}${cards}</main>
<footer><a href="/">${siteTexts.about}</a></footer>`,
  });

/** Renders a page of a single card below the brand. */
export const card = (page: CardPage): string => {
  const { title, heading = title, note, content, after, templates } = page;
  return cardFrame(
    page,
    html`<div class="at-gate">
${note && renderNote(note)}<h1>${heading}</h1>
${content}
${after && html`<p class="foot-l">${after}</p>\n`}</div>${templates}`,
  );
};
