// The key in the address, or the one that this tab keeps. It leaves this page in no request.
import {
  findArrivedKey,
  findFragment,
  forgetArrivedKey,
  forgetFragment,
  keepFragment,
} from '../../../../browser/sealed/kept-key.ts';
import { parseFragment } from '../../../../browser/sealed/key.ts';
import { findLinkFragment } from '../../../../browser/sealed/link.ts';

/** What looks like a key, whether or not it is a whole one: parts of pages have other names. */
const keyLike = /^#[a-z]\d\./;

/** Where a key came from. */
export interface FoundKey {
  readonly fragment: string;
  /** Whether the tab kept it, so that the address doesn’t have it. */
  readonly isKept: boolean;
}

/** Whether the address has a key, whole or not. */
export const hasKeyInAddress = (): boolean => keyLike.test(location.hash);

const getName = (): string => location.pathname.split('/')[2] ?? '';

/** Finds the key of the page’s share: in its address, or in this tab, where one that has just arrived comes first. */
export const findKey = (id: string): FoundKey | undefined => {
  const inAddress = findLinkFragment(location.hash);
  if (inAddress !== undefined) return { fragment: inAddress, isKept: false };
  if (hasKeyInAddress()) return undefined;
  const fragment = findArrivedKey(getName()) ?? findFragment(id);
  const isWhole = fragment !== undefined && parseFragment(fragment) !== undefined;
  return isWhole ? { fragment, isKept: true } : undefined;
};

/** Keeps a key that has opened the share, for this tab, and takes it out of the address, which is copied and kept in the history. */
export const keepKey = (id: string, fragment: string): void => {
  keepFragment(id, fragment);
  forgetArrivedKey(getName());
  if (!hasKeyInAddress()) return;
  history.replaceState(history.state, '', location.pathname + location.search);
};

/** Forgets a key that doesn’t open the share, and no other that does. */
export const forgetKey = (id: string, fragment: string): void => {
  if (findArrivedKey(getName()) === fragment) forgetArrivedKey(getName());
  if (findFragment(id) === fragment) forgetFragment(id);
};

/** A pasted link: its key, or the host of another service, which would get a proof of it here. */
type Pasted = { readonly fragment: string } | { readonly otherHost: string } | undefined;

/** Returns the host of an address, which may lack its scheme; `undefined` if it is none. */
const findHost = (address: string): string | undefined => {
  try {
    return new URL(/^\w+:/.test(address) ? address : `https://${address}`).host;
  } catch {
    return undefined;
  }
};

/** Reads a link that was pasted, maybe at the end of a sentence, or its key alone. */
export const readPasted = (pasted: string): Pasted => {
  const link =
    pasted
      .trim()
      .split(/\s+/)
      .at(-1)
      ?.replace(/^[<("'“„«]+/, '') ?? '';
  const fragment = findLinkFragment(link);
  if (fragment === undefined) return undefined;
  const [address = '', ...others] = link.split('#');
  if (address === '' || others.length === 0) return { fragment };
  const host = findHost(address);
  return host === location.host ? { fragment } : host ? { otherHost: host } : undefined;
};
