// The whole link of a sealed share: its address, and the key behind the `#`.
import { findKeyFragment } from './kept-key.ts';
import { parseFragment } from './key.ts';

/** Joins the address of a sealed share with the fragment of its key. */
export const joinLink = (url: string, fragment: string): string => `${url}#${fragment}`;

/** Returns the fragment of a pasted link, or one that is pasted alone, without its `#`; `undefined` if it has no key. */
export const findLinkFragment = (pasted: string): string | undefined => {
  const fragment = findKeyFragment(pasted.trim());
  return fragment !== undefined && parseFragment(fragment) ? fragment : undefined;
};
