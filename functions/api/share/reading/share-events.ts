// What the webhooks of an owner learn of a share (decisions.md#events).
import type { Write } from '../../../../shared/db/transaction.ts';
import {
  type EventJob,
  eventJob,
  eventWrite,
  tellEvent,
} from '../../../../shared/webhooks/event-write.ts';
import type { EventShare, OwnEventData } from '../../../../shared/webhooks/payloads.ts';
import type { Told } from '../../../../shared/webhooks/told.ts';
import { isOpenToAll } from '../record/audience.ts';
import { loadLinks } from '../record/links.ts';
import { countViewsLeft, type FoundShare, getUrl, type StoredShare } from '../record/share.ts';

/** Returns how events name a share. A title that not everyone may read stays here, and one of the content always does. */
export const toEventShare = (share: StoredShare): EventShare => {
  const isShown = isOpenToAll(share) && share.password === undefined;
  return { id: share.id, url: getUrl(share.id), title: (isShown && share.title) || null };
};

/** How a share ended, and when (ISO 8601). */
export interface ShareEnd extends Pick<OwnEventData<'share.ended'>, 'by' | 'how'> {
  readonly at: string;
}

const toEnded = (
  { share, access: { views } }: FoundShare,
  { by, how }: ShareEnd,
): OwnEventData<'share.ended'> => ({ share: toEventShare(share), by, how, views });

/** The same end is the same event, whoever tells of it first. */
const toHappening = ({ share: { id } }: FoundShare, { at }: ShareEnd) => ({
  happening: `share.ended#${id}#${at}`,
  at,
});

/** Creates the write that tells a share’s owner of its end, for the transaction that ends it. */
export const endEventWrite = (told: Told, found: FoundShare, end: ShareEnd): Write | undefined =>
  eventWrite(told, 'share.ended', () => toEnded(found, end), toHappening(found, end));

/**
 * Tells a share’s owner at once that its last view has ended it. The deletion of its content tells it for certain.
 */
export const tellOfLastView = async (told: Told, found: FoundShare): Promise<void> => {
  const at = found.access.endedAt;
  if (at === undefined) return;
  const end: ShareEnd = { by: 'views', how: 'ended', at };
  await tellEvent(told, 'share.ended', () => toEnded(found, end), toHappening(found, end));
};

/** A view of a share. */
export interface ToldView {
  readonly id: string;
  /** The reader, if it is known. */
  readonly readerId?: number | undefined;
  /** Whether it is counted by a job, as activity that may be lost. */
  readonly isCountedLater?: boolean;
}

/** Returns what its owner calls a recipient link, unless that is an email address. The id opens the share. */
const readLabel = async (id: string | undefined): Promise<string | null> => {
  const [link] = id === undefined ? [] : await loadLinks([id]);
  return link && !link.label.includes('@') ? link.label : null;
};

/** Whether a receipt says that a reader opened a share. Of one for all, nobody is recorded (decisions.md#receipts). */
const hasReceipt = (
  { audience, ownerId }: StoredShare,
  readerId: number | undefined,
): readerId is number => audience !== undefined && readerId !== undefined && readerId !== ownerId;

const toOpened = (
  found: FoundShare,
  { readerId, isCountedLater }: ToldView,
  link: string | null,
): OwnEventData<'share.opened'> => ({
  share: toEventShare(found.share),
  link,
  readerId: hasReceipt(found.share, readerId) ? readerId : null,
  views: isCountedLater ? null : found.access.views,
  viewsLeft: countViewsLeft(found),
});

/** The same view is the same event. */
const toOpening = ({ share }: FoundShare, { id }: ToldView): string =>
  `share.opened#${share.id}#${id}`;

/** Tells a share’s owner of a view, with the recipient link that it was opened with. */
export const tellOfView = (
  told: Told,
  found: FoundShare,
  view: ToldView,
  link?: string,
): Promise<void> =>
  tellEvent(told, 'share.opened', async () => toOpened(found, view, await readLabel(link)), {
    happening: toOpening(found, view),
    mayBeLost: view.isCountedLater === true,
  });

/** Creates what tells a share’s owner of a view, for the job that counts it, if nobody has before. */
export const toViewEvent = (told: Told, found: FoundShare, view: ToldView): EventJob | undefined =>
  eventJob(told, 'share.opened', () => toOpened(found, view, null), {
    happening: toOpening(found, view),
  });
