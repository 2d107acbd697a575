import { getExpiry } from '../../../shared/input/share-age.ts';
import type { Html } from '../../../shared/text/html.ts';
import type { ManifestFile } from '../../api/share/files/manifest.ts';
import {
  countViewsLeft,
  type ShareAccess,
  type StoredShare,
} from '../../api/share/record/share.ts';
import type { Theme } from '../layout/theme.ts';
import type { Described } from './markup/byline.ts';

/**
 * A share that the reader can view. `view` is the token of a consumed view; `source` is included then because the token
 * expires soon.
 */
export interface Opened {
  /** Its addresses have `addressId`: by a recipient link, nothing tells its id or its slug. */
  readonly share: Omit<StoredShare, 'id' | 'slug'>;
  readonly access: ShareAccess;
  /** The id in the addresses of the page: of the recipient link that it was opened by, or of the share. */
  readonly addressId: string;
  /** What the address to pass on has: the recipient link, or else the slug or the id of the share. */
  readonly addressName: string;
  /** The id of the share, if the page is the owner’s, as their session says. */
  readonly ownId: string | undefined;
  readonly author: string;
  readonly view: string | undefined;
  /** The token in the addresses of its source, which a reader may pass on: none where a session is enough. */
  readonly sourceView: string | undefined;
  /** What the addresses of its files begin with, if it has any: the id in its addresses, or a token. */
  readonly filesPrefix: string | undefined;
  /** The id of the recipient link that it was opened by. */
  readonly link: string | undefined;
  readonly source: string | undefined;
  /** The file that is all of it, unless it is a text. */
  readonly file?: ManifestFile | undefined;
  /** The name of the file that is all of the text: readers get its exact text as the source. */
  readonly onlyFile: string | undefined;
  /** Who can open it, in words, where the page is the owner’s. */
  readonly readers?: string | undefined;
  /** Whether the owner looks at the page of readers. */
  readonly isPreview: boolean;
  /** Whether everyone gets this page: its script counts the view and adds what the owner can do. */
  readonly isShared: boolean;
  /** What the script needs that follows the edits, if it can: attributes of the content. */
  readonly live?: Html | undefined;
  /** Lets this reader end the share, if they can and it takes a token. */
  readonly endToken: string | undefined;
  readonly theme: Theme | undefined;
}

/** Returns what the page of a share says of it. */
export const describeOpened = (opened: Opened): Described => {
  const { share, author } = opened;
  const { createdAt, updatedAt, viewLimit } = share;
  const viewsLeft = countViewsLeft(opened);
  return { author, createdAt, updatedAt, viewLimit, viewsLeft, expiry: getExpiry(share) };
};
