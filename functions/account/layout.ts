import { cspHash } from '../../shared/csp-hash.ts';
import { Html, html } from '../../shared/html.ts';
import { style as commonStyle } from '../pages/style.ts';
import type { ScriptName } from './scripts.ts';
import { style as ownStyle } from './style.ts';

const style = commonStyle + ownStyle;

/** Our own scripts, our one style sheet, our own API, and nothing of other hosts; nobody may frame these pages. */
export const accountPolicy = (): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${cspHash(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const scriptTags = (script: ScriptName, imports: readonly ScriptName[]): Html =>
  html`${imports.map((name) => html`<link rel="modulepreload" href="/account/${name}">\n`)}<script type="module" src="/account/${script}"></script>
`;

const needsScript = html`<noscript><p class="noscript">This page needs JavaScript. Turn it on and load the page again.</p></noscript>
`;

/** A whole page; with a script, and with the scripts that this one loads, unless it only says something. */
export const layout = ({
  title,
  kind,
  script,
  imports = [],
  main,
}: {
  readonly title: string;
  readonly kind: 'notice' | 'account';
  readonly script?: ScriptName;
  readonly imports?: readonly ScriptName[];
  readonly main: Html;
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Handbill</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
${script && scriptTags(script, imports)}</head>
<body class="${kind}">
${script && needsScript}${main}
</body>
</html>
`.markup;
