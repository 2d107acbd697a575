import { Html, html } from '../../../shared/text/html.ts';
import { assetPath, type ScriptName, type StyleName } from './asset.ts';
import { siteTexts as texts } from './texts.ts';

/** A link in the header. */
type SitePart = 'new' | 'shares' | 'files' | 'dashboard' | 'moderation' | 'account';

/** A page of this service. Its script is loaded as a module. */
export interface Page {
  readonly title: string;
  /** A class of the body. `notice` centers one card. */
  readonly kind: string;
  readonly styles?: readonly StyleName[];
  readonly script?: ScriptName;
  /** The current link of the header. `signed-out` shows a link to sign in. Without it, there is no header. */
  readonly site?: SitePart | 'signed-out';
  /** Further elements of the head, such as descriptions and alternates. */
  readonly head?: Html;
  readonly main: Html;
  readonly footer?: Html;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='2.5' y='1' width='11' height='14' rx='2' fill='%231d4ed8'/%3E%3Cpath d='M5 5h6M5 8h6M5 11h4' stroke='%23fff' stroke-width='1.3'/%3E%3C/svg%3E";

const styleLinks = (names: readonly StyleName[]): Html =>
  html`${names.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">\n`)}`;

const scriptTags = (name: ScriptName): Html =>
  html`<script type="module" src="${assetPath(name)}"></script>\n`;

const moderation = ['moderation', '/moderation', texts.moderation] as const;

const getLinks = (here: Page['site']): readonly (readonly [SitePart, string, string])[] => [
  ['new', '/', texts.new],
  ['shares', '/shares', texts.myShares],
  ['files', '/files', texts.files],
  ['dashboard', '/dashboard', texts.dashboard],
  ...(here === 'signed-out' ? [] : [moderation]),
  here === 'signed-out'
    ? ['account', '/login', texts.signIn]
    : ['account', '/account', texts.account],
];

const current = new Html(' aria-current="page"');
/** The script shows this link to users with the permission. */
const hidden = new Html(' id="moderation-link" hidden');

const linkState = (part: SitePart, here: Page['site']): Html | undefined => {
  if (part === here) return current;
  return part === 'moderation' ? hidden : undefined;
};

const siteHeader = (here: Page['site']): Html =>
  html`<header class="site"><a class="brand" href="/">${texts.brand}</a>
<nav aria-label="${texts.navigation}">${getLinks(here).map(([part, path, label]) => html`<a href="${path}"${linkState(part, here)}>${label}</a>`)}</nav></header>
`;

const needsScript = html`<noscript><p class="noscript">${texts.needsScript}</p></noscript>\n`;

/** Renders a complete page. `isReadable` marks a page that works without its script. */
export const layout = ({
  title,
  kind,
  styles = [],
  script,
  site,
  head,
  main,
  footer,
  isReadable = script === undefined,
}: Page & { readonly isReadable?: boolean }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}<link rel="icon" href="${new Html(icon)}">
${styleLinks(['base.css', ...styles])}${script && scriptTags(script)}</head>
<body class="${kind}">
<a class="skip" href="#main">${texts.skip}</a>
${isReadable ? undefined : needsScript}${site && siteHeader(site)}${main}
${footer}</body>
</html>
`.markup;
