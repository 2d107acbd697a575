import { Html, html } from '../../../../shared/text/html.ts';
import { siteTexts } from '../../layout/texts.ts';
import { sharePageTexts as texts } from '../texts.ts';

/** What the bar above a share shows. */
interface Bar {
  readonly title: string;
  readonly titleTag: 'h1' | 'span';
  /** The link to pass on. */
  readonly link: string;
  /** The entries of the menu. The script shows the buttons that don’t work without it. */
  readonly entries: Html;
  /** Further attributes. */
  readonly attributes?: Html | undefined;
}

/** Renders an icon. */
export const icon = (name: string): Html => html`<i class="i-${name}"></i>`;

/** The entries of each menu that the script makes work. */
export const viewEntries = html`<button type="button" data-shows-qr hidden>${icon('qr')}${texts.qrCode}</button>
<button type="button" data-fills-screen aria-keyshortcuts="f" hidden>${icon('full')}${texts.fullScreen}<kbd aria-hidden="true">F</kbd></button>
`;

/** Renders the entry of a menu by which a reader ends the share. */
export const endEntry = (addressId: string, token: string | undefined): Html =>
  html`<a class="bad" href="/s/${addressId}/end${token === undefined ? '' : `?token=${token}`}" rel="nofollow">${icon('x')}${texts.endIt}</a>\n`;

/** Renders the entry of a menu that leads to the report of a share. */
export const reportEntry = (addressId: string): Html =>
  html`<a href="/s/${addressId}/report" rel="nofollow">${icon('flag')}${texts.report}</a>`;

/** Renders the bar above a share: the way home, the title, and what can be done with it. */
export const bar = ({ title, titleTag, link, entries, attributes }: Bar): Html => {
  const tag = new Html(titleTag);
  return html`<header class="reader-bar"${attributes}><a class="brand" href="/"><span class="vh">${siteTexts.brand}</span></a><${tag} class="at cut" dir="auto">${title}</${tag}><div class="row end">
<button class="btn" type="button" data-copies-link="${link}" aria-label="${texts.copyLink}" hidden>${icon('link')}<span class="hide-s">${texts.copyLink}</span></button>
<button class="btn ghost icon" type="button" popovertarget="Actions" aria-label="${texts.more}"><i class="i-dots l"></i></button></div>
<div popover id="Actions" class="menu" role="group" aria-label="${texts.actions}">
${entries}
</div></header>
`;
};
