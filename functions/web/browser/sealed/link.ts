// The whole link of a sealed share: its address, and the key behind the `#`.
import { parseFragment } from './key.ts';

/** Joins the address of a sealed share with the fragment of its key. */
export const joinLink = (url: string, fragment: string): string => `${url}#${fragment}`;

/** Returns the fragment of a pasted link, or one that is pasted alone, without its `#`; `undefined` if it has no key. */
export const findLinkFragment = (pasted: string): string | undefined => {
  const text = pasted.trim();
  const fragment = text.slice(text.lastIndexOf('#') + 1);
  return parseFragment(fragment) && fragment;
};
