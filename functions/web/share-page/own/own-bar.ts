import { type Html, html } from '../../../../shared/text/html.ts';
import {
  countViewsLeft,
  type FoundShare,
  type StoredShare,
} from '../../../api/share/record/share.ts';
import { ownTexts as texts } from './texts.ts';

const icon = (name: string): Html => html`<i class="i-${name}"></i>`;

/** Whether the next reader is the last one: then the owner’s page doesn’t show the text before it is asked for. */
export const isLastView = (found: FoundShare): boolean => countViewsLeft(found) === 1;

/** What the bar of an owner tells of a share. */
interface Told extends FoundShare {
  /** Who can open it, in words. Not told while only one more reader can. */
  readonly readers?: string | undefined;
}

/** Says how often a share was opened, and by whom it can be or what ends it. */
const describe = (found: Told): string => {
  const { views } = found.access;
  const parts = isLastView(found)
    ? views === 0
      ? [texts.unopened, texts.endsFirst]
      : [texts.opened(views), texts.endsNext]
    : [texts.visits, texts.views(views), found.readers];
  return parts.filter((part) => part !== undefined).join(' · ');
};

const toPath = ({ id, slug }: StoredShare): string => `/s/${slug ?? id}`;

/** Renders the way to the page as its readers see it. `look` is that of the button. */
export const previewLink = (share: StoredShare, look: string): Html =>
  html`<a class="btn ${look}" href="${toPath(share)}?preview">${icon('eye')}${texts.preview}</a>`;

/** Renders what tells the owner that the share is theirs, and what they can do with it. The script shows what needs it. */
export const ownBar = (found: Told): Html => {
  const { share } = found;
  return html`<section class="own" aria-label="${texts.label}">${icon('user')}<b>${texts.own}</b><span class="cut">${describe(found)}</span><div class="row end">
${isLastView(found) ? undefined : html`${previewLink(share, 'sm')}\n`}<a class="btn sm" href="/?edit=${share.id}">${icon('pen')}${texts.edit}</a>
<button class="btn sm" type="button" data-stops="/api/share/${share.id}" hidden>${icon('x')}${texts.stop}</button></div></section>
`;
};

/** Renders what tells the owner that this is what readers see, and the way back, which Esc takes, too. */
export const previewNote = (share: StoredShare): Html =>
  html`<p class="pill-note" role="status">${texts.previewing}<a href="${toPath(share)}">${texts.closePreview}</a></p>
`;
