import type { Actor } from '../../../../shared/auth/actor.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { listDecisions } from '../../../api/share/moderation/moderation.ts';
import { admit } from '../../../api/share/reading/admission.ts';
import {
  type FoundShare,
  findEndCause,
  getEnd,
  hasEnded,
} from '../../../api/share/record/share.ts';
import { lonePage } from '../../layout/error-page.ts';
import type { Theme } from '../../layout/theme.ts';
import { formatShortDay } from '../times/dates.ts';
import { ownTexts as texts } from './texts.ts';

const ways = html`<a class="btn primary lg" href="/shares">${texts.toShares}</a><a class="btn lg" href="/">${texts.newShare}</a>`;

const withDay = (text: string, at: string | number): Html =>
  html`${text} ${formatShortDay(new Date(at).toISOString())}`;

/** Renders when the share was taken down, and what the moderator wrote about it. */
const takenDownPage = async (
  { share }: FoundShare,
  takenDownAt: string,
  theme: Theme | undefined,
): Promise<string> => {
  const decisions = await listDecisions(share.id);
  const reason = decisions.find(({ decision }) => decision === 'take-down')?.reason;
  return lonePage({
    title: texts.takenDown,
    heading: withDay(texts.takenDownOn, takenDownAt),
    content: html`<p>${reason === undefined ? texts.takenDownBy : texts.reason(reason)}</p>`,
    actions: ways,
    scripts: ['own-ended.js'],
    theme,
  });
};

/** Renders when the share ended, by what, and how often it was opened until then. */
const endedPage = (found: FoundShare, end: number, theme: Theme | undefined): string =>
  lonePage({
    title: texts.ended,
    heading: withDay(texts.endedOn, end),
    content: html`<p>${texts.causes[findEndCause(found) ?? 'time']} ${texts.openedUntil(found.access.views)}</p>`,
    actions: ways,
    scripts: ['own-ended.js'],
    theme,
  });

/**
 * Renders the page of a share that has ended or was taken down, for its owner; `undefined` for anyone else, and where a
 * recipient link has ended alone.
 * @throws AppError NOT_FOUND
 */
export const findEndedPage = async (
  actor: Actor,
  address: string,
  theme: Theme | undefined,
): Promise<string | undefined> => {
  const found = await admit(address, { actor, asEditor: true });
  const { takenDownAt } = found.share;
  const end = getEnd(found);
  if (!found.isOwner) return undefined;
  if (takenDownAt !== undefined) return takenDownPage(found, takenDownAt, theme);
  return end === undefined || !hasEnded(found) ? undefined : endedPage(found, end, theme);
};
