// The links of sealed shares in lists: with the key, where this tab keeps it.
import { copyText } from '../data/clipboard.ts';
import { findFragment } from './kept-key.ts';
import { joinLink } from './link.ts';
import { sealedTexts as texts } from './texts.ts';

/** A share in a list. */
export interface ListedShare {
  readonly id: string;
  readonly url: string;
  readonly sealed?: boolean | undefined;
}

/** Returns the fragment that this tab keeps of a sealed share, under its id or the name in its address. */
const findKept = ({ id, url, sealed }: ListedShare): string | undefined =>
  sealed ? (findFragment(id) ?? findFragment(url.slice(url.lastIndexOf('/') + 1))) : undefined;

/** Whether a link of a share lacks the key that opens it. */
export const lacksKey = (share: ListedShare): boolean =>
  share.sealed === true && findKept(share) === undefined;

/** Returns an address that leads to a share, by default its own, with the key if this tab keeps it. */
export const toKeptLink = (share: ListedShare, address = share.url): string => {
  const fragment = findKept(share);
  return fragment === undefined ? address : joinLink(address, fragment);
};

/** Copies the link of a share, and says whether it has the key. */
export const copyShareLink = (
  share: ListedShare,
  { done, failed }: { readonly done: string; readonly failed: string },
): Promise<boolean> => {
  const withoutKey = lacksKey(share) ? texts.copiedWithoutKey : texts.wholeLinkCopied;
  return copyText(toKeptLink(share), share.sealed ? withoutKey : done, failed);
};
