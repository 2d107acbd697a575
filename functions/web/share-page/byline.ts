import { getExpiry } from '../../../shared/input/share-age.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import { countViewsLeft } from '../../api/share/record/share.ts';
import { getInitials } from '../layout/initials.ts';
import type { Opened } from './opened.ts';
import { sharePageTexts as texts } from './texts.ts';
import { formatDay, formatEnd } from './times/dates.ts';

const warn = (icon: string, text: string): Html =>
  html`<span class="badge warn"><i class="i-${icon}"></i>${text}</span>`;

/** Renders the end of a share by its views or its time, if it has one. */
export const badges = (opened: Opened): Html => {
  const { viewLimit } = opened.share;
  const expiry = getExpiry(opened.share);
  const left = countViewsLeft(opened);
  const burns = left === 1 && viewLimit === 1;
  return html`${burns ? warn('fire', texts.burns) : undefined}${left === null || burns ? undefined : warn('eye', texts.viewsLeft(left))}${expiry && html`<span class="badge warn"><i class="i-clock"></i><span>${texts.ends} ${formatEnd(expiry)}</span></span>`}`;
};

/** Renders when a share was created and edited. */
export const dates = ({ share }: Pick<Opened, 'share'>): Html =>
  html`${formatDay(share.createdAt)}${share.updatedAt === share.createdAt ? undefined : html` · ${texts.edited} ${formatDay(share.updatedAt)}`}`;

/** Renders who wrote a text, when, how long it takes to read if it is shown, and when it ends. */
export const byline = (opened: Opened, minutes?: number): Html =>
  html`<div class="byline"><span class="av" aria-hidden="true">${getInitials(opened.author)}</span><div class="grow"><p><span class="vh">${texts.by} </span><bdi>${opened.author}</bdi></p>
<p>${dates(opened)}${minutes === undefined ? undefined : ` · ${texts.minutes(minutes)}`}</p></div>${badges(opened)}</div>
`;
