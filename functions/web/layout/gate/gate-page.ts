import { type Html, html } from '../../../../shared/text/html.ts';
import type { ScriptName, StyleName } from '../asset.ts';
import { document } from '../document.ts';
import { linkCard } from '../link-card.ts';
import { siteTexts } from '../texts.ts';
import type { Theme } from '../theme.ts';
import { type SealMark, seal } from './seal.ts';

/** A page outside the console that asks or says one thing, such as why a share isn’t shown. */
export interface Gate {
  readonly title: string;
  /** By default, the title. */
  readonly heading?: Html | string;
  readonly mark: SealMark;
  readonly about: Html | string;
  /** The form, or the ways on. */
  readonly content?: Html | undefined;
  /** Below them. */
  readonly note?: Html | string | undefined;
  readonly footer?: Html | string;
  /** In addition to that of all gates. */
  readonly styles?: readonly StyleName[];
  /** The page works without them. */
  readonly scripts?: readonly ScriptName[];
  readonly theme: Theme | undefined;
}

/** Renders a gate: a card with a drawing, what is asked, and the way on. A preview of its link shows nothing else. */
export const gatePage = ({
  title,
  heading = title,
  mark,
  about,
  content,
  note,
  footer,
  styles = [],
  scripts = [],
  theme,
}: Gate): string =>
  document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    kind: 'gate',
    styles: ['gate.css', ...styles],
    scripts,
    isReadable: true,
    contentId: 'page',
    head: linkCard(),
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1"><div class="at-gate">${seal(mark)}<h1>${heading}</h1><p>${about}</p>
${content}${note && html`<p class="note">${note}</p>`}</div></main>
<footer>${footer}</footer>`,
  });

/** Renders a link that looks like a button. */
export const way = (href: string, label: string, look: 'primary ' | '' = ''): Html =>
  html`<a class="btn ${look}lg wide" href="${href}">${label}</a>`;
