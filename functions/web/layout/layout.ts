import { Html, html } from '../../../shared/text/html.ts';
import { assetPath, type ScriptName, type StyleName } from './asset.ts';
import { siteTexts as texts } from './texts.ts';

/** An entry of the header's navigation. */
type SitePart = 'new' | 'shares' | 'files' | 'dashboard' | 'account';

/** A page of ours. Its script is loaded as a module; what it must know at once stands in the markup. */
export interface Page {
  readonly title: string;
  /** A class of the body: `notice` centres one card. */
  readonly kind: string;
  readonly styles?: readonly StyleName[];
  readonly script?: ScriptName;
  /** Where one is in the header, if that has it; `signed-out` leads to sign in. Without it there is no header. */
  readonly site?: SitePart | 'elsewhere' | 'signed-out';
  /** More for the head: descriptions, cards, alternates. */
  readonly head?: Html;
  readonly main: Html;
  readonly footer?: Html;
}

/** What a page may load beside our own styles and scripts. */
export interface PageRights {
  /** The origin of its frames. */
  readonly frames?: string;
  /** Pictures of any https host, which a Markdown text may name. */
  readonly anyPictures?: boolean;
  /** Where its scripts may send to beside our API. */
  readonly connects?: string;
}

/** The policy of our own pages: our styles, scripts and API, nothing inline, nobody may frame them. */
export const pagePolicy = ({ frames, anyPictures = false, connects }: PageRights = {}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${connects === undefined ? '' : ` ${connects}`}`,
    "worker-src 'self'",
    `img-src ${anyPictures ? 'https:' : "'self'"} data:`,
    `frame-src ${frames ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='2.5' y='1' width='11' height='14' rx='2' fill='%231d4ed8'/%3E%3Cpath d='M5 5h6M5 8h6M5 11h4' stroke='%23fff' stroke-width='1.3'/%3E%3C/svg%3E";

const styleLinks = (names: readonly StyleName[]): Html =>
  html`${names.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">\n`)}`;

const scriptTags = (name: ScriptName): Html =>
  html`<script type="module" src="${assetPath(name)}"></script>\n`;

const links = (here: Page['site']): readonly (readonly [SitePart, string, string])[] => [
  ['new', '/', texts.new],
  ['shares', '/shares', texts.myShares],
  ['files', '/files', texts.files],
  ['dashboard', '/dashboard', texts.dashboard],
  here === 'signed-out'
    ? ['account', '/login', texts.signIn]
    : ['account', '/account', texts.account],
];

const current = new Html(' aria-current="page"');

const siteHeader = (here: Page['site']): Html =>
  html`<header class="site"><a class="brand" href="/">${texts.brand}</a>
<nav aria-label="${texts.navigation}">${links(here).map(([part, path, label]) => html`<a href="${path}"${part === here ? current : undefined}>${label}</a>`)}</nav></header>
`;

const needsScript = html`<noscript><p class="noscript">${texts.needsScript}</p></noscript>\n`;

/** A whole page of ours. `isReadable` says that it can do without its script. */
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
