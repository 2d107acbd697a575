import { type Html, html } from '../../../shared/text/html.ts';
import { card } from '../layout/card.ts';
import type { Theme } from '../layout/theme.ts';
import { requestTexts as texts } from './texts.ts';

/** A page of a request. */
interface RequestCard {
  readonly title: string;
  readonly heading?: Html;
  readonly about: Html;
  readonly content: Html;
  readonly requestId: string;
  readonly theme: Theme | undefined;
}

/** Renders a page of a request: a card, and below it a link by which the request is reported. */
export const requestCard = ({ title, heading, about, content, requestId, theme }: RequestCard) =>
  card({
    title,
    ...(heading && { heading }),
    theme,
    styles: ['request.css'],
    content: html`${about}
${content}`,
    after: html`${texts.madeByUser} <a href="/r/${requestId}/report" rel="nofollow">${texts.report}</a>`,
  });
