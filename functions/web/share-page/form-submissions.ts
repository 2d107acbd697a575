import { toViewId, type ViewIds } from '../../api/share/record/view-ids.ts';

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
export const readFormViews = (
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
