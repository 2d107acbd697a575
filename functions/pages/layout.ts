import { cspHash } from '../../shared/csp-hash.ts';
import { Html, html } from '../../shared/html.ts';
import { style } from './style.ts';

/**
 * The policy of our own pages: no script at all, our one style sheet, pictures from anywhere, frames only of the
 * snippets' host where that is given, and nobody may frame us.
 */
export const pagePolicy = (snippetsUrl?: string): string =>
  [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    'img-src https: data:',
    `frame-src ${snippetsUrl ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A whole page. `footer` stands below the main part, outside of anything that a user wrote. */
export const layout = ({
  title,
  kind,
  main,
  footer,
}: {
  readonly title: string;
  readonly kind: 'reading' | 'framing' | 'notice';
  readonly main: Html;
  readonly footer?: Html;
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body class="${kind}">
${main}
${footer}
</body>
</html>
`.markup;
