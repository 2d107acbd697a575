import { type Html, html } from '../../../../shared/text/html.ts';
import type { ScriptName } from '../../layout/asset.ts';
import { document } from '../../layout/document.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { type SealMark, seal } from './seal.ts';

/** A page in the place of a share: it says why the share isn’t shown, and nothing of it. */
export interface Gate {
  readonly title: string;
  readonly mark: SealMark;
  readonly about: string;
  /** The form, or the ways on. */
  readonly content?: Html | undefined;
  /** Below them. */
  readonly note?: Html | string | undefined;
  readonly footer?: Html | string;
  /** The page works without them. */
  readonly scripts?: readonly ScriptName[];
  readonly theme: Theme | undefined;
}

/** Renders a gate: a card with a drawing, what is asked, and the way on. */
export const gatePage = ({
  title,
  mark,
  about,
  content,
  note,
  footer,
  scripts = [],
  theme,
}: Gate): string =>
  document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    kind: 'gate',
    styles: ['gate.css'],
    scripts,
    isReadable: true,
    contentId: 'page',
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1"><div class="at-gate">${seal(mark)}<h1>${title}</h1><p>${about}</p>
${content}${note && html`<p class="note">${note}</p>`}</div></main>
<footer>${footer}</footer>`,
  });

/** Renders a link that looks like a button. */
export const way = (href: string, label: string, look: 'primary ' | '' = ''): Html =>
  html`<a class="btn ${look}lg wide" href="${href}">${label}</a>`;
