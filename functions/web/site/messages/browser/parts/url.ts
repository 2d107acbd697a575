import { createUrlState } from '../../../../browser/data/url-state.ts';
import { parseView, toUrl, type View } from '../../view.ts';

type Listener = (next: View, before: View) => unknown;

const listeners: Listener[] = [];

/** Calls a function after every change of the address. */
export const onChange = (listener: Listener): void => {
  listeners.push(listener);
};

/** What the page shows. */
export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  getFormOf: ({ open, isNew }) => [open, isNew],
  onChange: (next, before) => {
    for (const listener of listeners) listener(next, before);
  },
});

export const { view } = url;
