import { createUrlState } from '../../../../browser/data/url-state.ts';
import { parseView, toQuery, type View } from '../../view.ts';

/** What the page shows beside the document. */
export const url = createUrlState<View>({
  parse: parseView,
  toUrl: (view) => location.pathname + toQuery(view),
});
