import { type Html, html } from '../../../../shared/text/html.ts';
import { getInitials } from '../../layout/initials.ts';
import { sharePageTexts as texts } from '../texts.ts';
import { formatDay, formatEnd } from '../times/dates.ts';

/** When a share was created and edited. */
interface Dated {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What the page of a share says of it, beside its title and content. */
export interface Described extends Dated {
  readonly author: string;
  readonly isSealed?: boolean;
  readonly viewLimit: number | null | undefined;
  readonly viewsLeft: number | null;
  /** When it expires, if it does. */
  readonly expiry: string | null | undefined;
}

const warn = (icon: string, text: string): Html =>
  html`<span class="badge warn"><i class="i-${icon}"></i>${text}</span>`;

/** Renders whether a share is sealed, and its end by its views or its time, if it has one. */
export const badges = ({ isSealed, viewLimit, viewsLeft: left, expiry }: Described): Html => {
  const burns = left === 1 && viewLimit === 1;
  return html`${isSealed ? html`<span class="badge"><i class="i-lock"></i>${texts.sealed}</span>` : undefined}${burns ? warn('fire', texts.burns) : undefined}${left === null || burns ? undefined : warn('eye', texts.viewsLeft(left))}${expiry ? html`<span class="badge warn"><i class="i-clock"></i><span>${texts.ends} ${formatEnd(expiry)}</span></span>` : undefined}`;
};

/** Renders when a share was created and edited. */
export const dates = ({ createdAt, updatedAt }: Dated): Html =>
  html`${formatDay(createdAt)}${updatedAt === createdAt ? undefined : html` · ${texts.edited} ${formatDay(updatedAt)}`}`;

/** Renders who wrote a text, when, how long it takes to read if it is shown, and when it ends. */
export const byline = (described: Described, minutes?: number): Html =>
  html`<div class="byline"><span class="av" aria-hidden="true">${getInitials(described.author)}</span><div class="grow"><p><span class="vh">${texts.by} </span><bdi>${described.author}</bdi></p>
<p>${dates(described)}${minutes === undefined ? undefined : ` · ${texts.minutes(minutes)}`}</p></div>${badges(described)}</div>
`;
