import { isOpenToAll } from '../record/audience.ts';
import { isLinkId } from '../record/links.ts';
import type { StoredShare } from '../record/share.ts';
import { toViewId, type ViewIds } from '../record/view-ids.ts';

/** Submissions of a form within this time are one view: as long as its token is valid (decisions.md#views). */
const sameViewMs = 60_000;
/** Part of a view's id, so that an older submission is another view. */
const windowMs = 10_000;

/** A possible view of a form, and the start of its time window (ms since 1970). */
export interface FormView {
  readonly viewId: string;
  readonly at: number;
}

/** A form that opens a share: its nonce at another address, for another content or of another reader is another view. */
interface OpenForm {
  /** The id in the address: of the share, or of a recipient link. */
  readonly id: string;
  /** The id of the content that it shows. */
  readonly content: string | undefined;
  /** The id of the user who sends it, unless anyone can open the share by the address. */
  readonly reader: number | undefined;
  readonly nonce: string;
}

/**
 * Lists the views that a form with this nonce may belong to if it is submitted now: a new one, that of a faster
 * concurrent request, and those of the last minute.
 */
const readFormViews = (
  { id, content = '', reader, nonce }: OpenForm,
  now: number,
): readonly FormView[] => {
  const window = Math.floor(now / windowMs);
  const earlier = Array.from({ length: sameViewMs / windowMs }, (_, index) => window - 1 - index);
  return [window, window + 1, ...earlier].map((start) => ({
    viewId: toViewId(`${id} ${content} ${reader ?? ''} ${nonce} ${start}`),
    at: start * windowMs,
  }));
};

/** Who asks for a view with a nonce of their own, of a form or a page. */
interface Claim {
  readonly nonce: string | undefined;
  /** What the share was asked for by: its id, or that of a recipient link. */
  readonly address: string;
  readonly userId: number | undefined;
}

/** Returns the views of a share that a request with a nonce may belong to, as `readFormViews` does; none without a nonce. */
export const readClaimedViews = (
  { nonce, address, userId }: Claim,
  share: StoredShare,
): readonly FormView[] => {
  if (nonce === undefined) return [];
  const isLink = isLinkId(address);
  const reader = isLink || isOpenToAll(share) ? undefined : userId;
  const id = isLink ? address : share.id;
  return readFormViews({ id, content: share.texts?.id, reader, nonce }, Date.now());
};

/** Returns when a view was counted at the latest: now, if it is the new one. */
export const findCountedAt = (views: readonly FormView[], viewId: string, now: number): number => {
  const at = views.findIndex((view) => view.viewId === viewId);
  const earlier = at > 0 ? views[at] : undefined;
  return earlier ? Math.min(now, earlier.at + windowMs) : now;
};

/** Returns the ids of views in their order. */
export const toViewIds = (views: readonly FormView[]): ViewIds | undefined => {
  const [first, ...others] = views.map(({ viewId }) => viewId);
  return first === undefined ? undefined : [first, ...others];
};
