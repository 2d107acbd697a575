import { type Html, html } from '../../../../shared/text/html.ts';
import { sharePageTexts as texts } from '../texts.ts';

/** Renders the note that the content is a user’s, outside of the content. */
export const origin = (addressId: string): Html =>
  html`<span>${texts.madeByUser}</span> <a href="/s/${addressId}/report" rel="nofollow">${texts.report}</a> <a class="end powered" href="/">${texts.poweredBy}</a>`;
