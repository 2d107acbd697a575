import { getSetting } from '../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import { assetPath } from './asset.ts';
import { siteTexts } from './texts.ts';

/** Renders what a preview of a link shows beside its title: one image for all pages, which says nothing about any. */
export const linkCard =
  (): Html => html`<meta property="og:image" content="${getSetting('PUBLIC_URL')}${assetPath('card.png')}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${siteTexts.brand}">
<meta name="twitter:card" content="summary_large_image">
`;
