import { type Html, html } from '../../../../shared/text/html.ts';
import { icon } from '../markup/bar.ts';
import { ownTexts as texts } from './texts.ts';

/** Renders what tells the owner that the share is theirs, and what they can do with it. `first` are the ways before these. */
export const ownFrame = (
  about: string,
  { id, editUrl, first }: { readonly id: string; readonly editUrl: string; readonly first?: Html },
): Html =>
  html`<section class="own" aria-label="${texts.label}">${icon('user')}<b>${texts.own}</b><span class="cut">${about}</span><div class="row end">
${first}<a class="btn sm" href="${editUrl}">${icon('pen')}${texts.edit}</a>
<button class="btn sm" type="button" data-stops="/api/share/${id}" hidden>${icon('x')}${texts.stop}</button></div></section>
`;
