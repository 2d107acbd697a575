// The whole link of a sealed share: its address, and its key behind the `#`.
import { parseFragment } from './key.ts';

/** A whole link in its parts. */
export interface SealedLink {
  /** What is before the `#`: the address that may be sent. */
  readonly address: string;
  /** The key, without its `#`. It must never be sent. */
  readonly fragment: string;
}

/** Joins the address of a share with its key. */
export const joinLink = ({ address, fragment }: SealedLink): string => `${address}#${fragment}`;

/** Takes a whole link apart. Returns `undefined` for one without a key, or with an incomplete one. */
export const splitLink = (text: string): SealedLink | undefined => {
  const [address = '', fragment = '', ...others] = text.trim().split('#');
  const isWhole = address !== '' && others.length === 0 && parseFragment(fragment) !== undefined;
  return isWhole ? { address, fragment } : undefined;
};
