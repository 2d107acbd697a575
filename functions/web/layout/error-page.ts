import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { Html, html } from '../../../shared/text/html.ts';
import type { ScriptName } from './asset.ts';
import { document } from './document.ts';
import { errorPageTexts as texts } from './error-texts.ts';
import { pagePolicy } from './policy.ts';
import { siteTexts } from './texts.ts';
import { readTheme, type Theme } from './theme.ts';

/** The drawing of pages that stand alone: sheets on a wall. */
const scene = new Html(
  '<svg class="scene" viewBox="0 0 304 210" aria-hidden="true"><rect class="wall" x="2" y="26" width="300" height="160" rx="18"/><path class="sh" d="m58 62 62-9 16 112-62 9z"/><path class="p2" d="m54 56 62-9 15 108-62 9z"/><path class="t" d="m67 76 34-5M70 92l44-6M72 108l26-4"/><path class="sh" d="m196 60 60 10-14 96-60-10z"/><path class="p2" d="m192 54 60 10-14 96-60-10z"/><path class="t" d="m202 76 36 6M200 92l26 4M197 108l34 6"/><path class="sh" d="M112 42h82v88l-10-7-11 9-12-8-12 9-12-8-12 8-13-8z"/><path class="p" d="M110 36h84v88l-10-7-11 9-12-8-12 9-12-8-13 8-14-9z"/><path class="t" d="M126 68h52M126 84h36"/><path class="x" d="M152 20a9 9 0 0 1 9 9c0 5-4 8-7.5 8.8L152 46l-1.5-8.2C147 37 143 34 143 29a9 9 0 0 1 9-9z"/><path class="y" d="m124 196 52-6 6 12-12 2-14-3-12 4-16-2z"/></svg>',
);

/** A page outside the shell that says one thing. */
export interface LonePage {
  readonly title: string;
  /** By default, the title. */
  readonly heading?: Html;
  /** Below the heading. */
  readonly content: Html;
  /** Links on, with the primary one first. */
  readonly actions?: Html;
  readonly footer?: string;
  /** The page works without them. */
  readonly scripts?: readonly ScriptName[];
  /** Whether it takes part in transitions, as errors of the console do. */
  readonly isCarriedOver?: boolean;
  readonly theme: Theme | undefined;
}

/** Renders a page that says one thing: a drawing, what happened and the way on. */
export const lonePage = (page: LonePage): string => {
  const { title, heading = title, content, actions, footer, scripts = [], theme } = page;
  return document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    kind: 'alone',
    styles: ['ui.css'],
    scripts,
    isCarriedOver: page.isCarriedOver ?? false,
    isReadable: true,
    contentId: 'page',
    body: html`<header><a class="brand" href="/">${siteTexts.brand}</a></header>
<main id="page" tabindex="-1">${scene}<h1>${heading}</h1>${content}${actions && html`<div class="row">${actions}</div>`}</main>
<footer>${footer}</footer>`,
  });
};

/** The link of error pages to the start page. */
export const toStart = html`<a class="btn primary lg" href="/">${texts.toStart}</a>`;

/** Renders an error: what happened, one way on, and what to name when asking for help. */
export const errorPage = ({ status, code, message, requestId, cookies }: PublicError): string =>
  lonePage({
    title: texts.titles[code] ?? texts.other,
    content: html`<p>${texts.texts[code] ?? message}</p>`,
    actions: toStart,
    footer: texts.about(status, requestId),
    isCarriedOver: true,
    theme: readTheme(cookies),
  });

/** Renders an error as a page for browsers; other clients get the error envelope. */
export const replyWithErrorPage = (failure: PublicError): Reply<string> | undefined =>
  failure.prefersHtml
    ? new Reply(errorPage(failure), {
        headers: { 'content-security-policy': pagePolicy({ isCarriedOver: true }) },
      })
    : undefined;
