import { type Claims, toViewId } from '../../api/share/record/view-ids.ts';

/** A form that is sent again within this time is the same view: as long as its token is good (decisions.md#views). */
const sameViewMs = 60_000;
/** A view is named by so much time, so that a form which was sent longer ago is another. */
const spanMs = 10_000;

/** What a view may be called, and from when on it has that name (ms since 1970). */
export interface FormView {
  readonly claim: string;
  readonly at: number;
}

/**
 * The views that a form with this nonce may be, when it is sent now: a new one, the one of another request that came at
 * the same time and was faster, and those of the last minute.
 */
export const readFormViews = (id: string, nonce: string, now: number): readonly FormView[] => {
  const span = Math.floor(now / spanMs);
  const before = Array.from({ length: sameViewMs / spanMs }, (_, at) => span - 1 - at);
  return [span, span + 1, ...before].map((one) => ({
    claim: toViewId(`${id} ${nonce} ${one}`),
    at: one * spanMs,
  }));
};

/** Their claims, the new one's first. */
export const toViewIds = (views: readonly FormView[]): Claims | undefined => {
  const [first, ...others] = views.map(({ claim }) => claim);
  return first === undefined ? undefined : [first, ...others];
};
