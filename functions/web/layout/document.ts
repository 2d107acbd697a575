import { Html, html } from '../../../shared/text/html.ts';
import { assetPath, type ScriptName, type StyleName } from './asset.ts';
import { type InlineStyleName, inlineStyle } from './inline-style.ts';
import { transitionHead } from './page-transitions.ts';
import { siteTexts as texts } from './texts.ts';
import type { Theme } from './theme.ts';

/** A complete page. */
export interface PageDocument {
  readonly title: string;
  readonly theme: Theme | undefined;
  /** A class of the body. */
  readonly kind?: string;
  readonly styles: readonly StyleName[];
  /** The style within the page, which follows the others. */
  readonly inlineStyle?: InlineStyleName | undefined;
  /** Loaded as modules. */
  readonly scripts: readonly ScriptName[];
  /** Whether the page takes part in transitions between pages. */
  readonly isCarriedOver?: boolean;
  /** Further elements of the head, such as descriptions and alternates. */
  readonly head?: Html;
  /** The id of what the first link skips to. */
  readonly contentId: string;
  readonly body: Html;
  /** Whether the page is for signed-in users only. */
  readonly requiresSession?: boolean;
  /** Whether the page works without its script. */
  readonly isReadable?: boolean;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 22 22'%3E%3Cpath fill='%234f5bd8' d='M4.5 1h9L19 6.5v12a2.5 2.5 0 0 1-2.5 2.5h-12A2.5 2.5 0 0 1 2 18.5v-15A2.5 2.5 0 0 1 4.5 1z'/%3E%3Cpath fill='%23bcc3fb' d='m13.5 1 5.5 5.5h-4A1.5 1.5 0 0 1 13.5 5z'/%3E%3Cpath stroke='%23fff' stroke-width='1.8' stroke-linecap='round' d='M6.5 11.5h8M6.5 15.5h5'/%3E%3C/svg%3E";

const styleLink = (name: StyleName): Html =>
  html`<link rel="stylesheet" href="${assetPath(name)}">\n`;
const scriptTag = (name: ScriptName): Html =>
  html`<script type="module" src="${assetPath(name)}"></script>\n`;

const needsScript = html`<noscript><p class="note warn">${texts.needsScript}</p></noscript>\n`;

/** Renders a complete page with the new styles. */
export const document = ({
  title,
  theme,
  kind,
  styles,
  inlineStyle: within,
  scripts,
  isCarriedOver = false,
  head,
  contentId,
  body,
  requiresSession = false,
  isReadable = scripts.length === 0,
}: PageDocument): string =>
  html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}${requiresSession ? html` data-requires="session"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${isCarriedOver ? transitionHead : undefined}${head}<link rel="icon" href="${new Html(icon)}">
${styles.map(styleLink)}${within && inlineStyle(within)}${scripts.map(scriptTag)}</head>
<body${kind && html` class="${kind}"`}>
<a class="skip" href="#${contentId}">${texts.skip}</a>
${isReadable ? undefined : needsScript}${body}
</body>
</html>
`.markup;
