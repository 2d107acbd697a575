import { type Html, html } from '../../../../shared/text/html.ts';
import {
  countViewsLeft,
  type ShareAccess,
  type StoredShare,
} from '../../../api/share/record/share.ts';
import { shareListTexts } from '../../browser/texts.ts';
import { icon } from '../markup/bar.ts';
import type { Opened } from '../opened.ts';
import { ownFrame } from './own-frame.ts';
import { ownTexts as texts } from './texts.ts';

/** Whether the next reader is the last one: then the owner’s page doesn’t show the text before it is asked for. */
export const isLastView = (found: {
  readonly share: Pick<StoredShare, 'viewLimit'>;
  readonly access: ShareAccess;
}): boolean => countViewsLeft(found) === 1;

/** Says who handed a share in, if it isn’t the owner’s, how often it was opened, and by whom it can be or what ends it. */
const describe = (opened: Opened): string => {
  const { views } = opened.access;
  const { from } = opened.share;
  const parts = isLastView(opened)
    ? views === 0
      ? [texts.unopened, texts.endsFirst]
      : [texts.opened(views), texts.endsNext]
    : [texts.visits, texts.views(views), opened.readers];
  const all = [from && shareListTexts.fromOutside(from.name), ...parts];
  return all.filter((part) => part !== undefined).join(' · ');
};

/** Renders the way to the page as its readers see it. `look` is that of the button. */
export const previewLink = ({ addressName }: Opened, look: string): Html =>
  html`<a class="btn ${look}" href="/s/${addressName}?preview">${icon('eye')}${texts.preview}</a>`;

/** Renders what tells the owner that the share is theirs, and what they can do with it. The script shows what needs it. */
export const ownBar = (opened: Opened, id: string): Html =>
  ownFrame(describe(opened), {
    ...{ id, editUrl: `/?edit=${id}` },
    ...(!isLastView(opened) && { first: html`${previewLink(opened, 'sm')}\n` }),
  });

/** Renders what tells the owner that this is what readers see, and the way back, which Esc takes, too. */
export const previewNote = (addressName: string): Html =>
  html`<p class="pill-note" role="status">${texts.previewing}<a href="/s/${addressName}">${texts.closePreview}</a></p>
`;
