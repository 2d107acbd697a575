import { createClient } from '../../../../browser/client/client.ts';
import { openContent, type SealedContent } from '../../../../browser/sealed/content.ts';
import { readKey, type SealKey, toProof } from '../../../../browser/sealed/key.ts';
import { takeClaim } from './claim.ts';

/** What the page of a sealed share knows of it before it is opened. */
export interface SealedPage {
  /** The id in its address: of the share, or of a recipient link. */
  readonly id: string;
  /** The id of the share, for its owner. */
  readonly ownId: string | undefined;
  /** The name of its owner, for them. */
  readonly author: string | undefined;
  /** The addresses of the frame of HTML and of the worker that renders Markdown. */
  readonly frameUrl: string;
  readonly workerUrl: string;
}

/** What the service says of the share. */
export interface SealedShare {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly url: string;
  readonly author?: string | undefined;
  readonly views: number;
  readonly viewLimit: number | null;
  readonly viewsLeft: number | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly content: string;
  readonly filesUrl?: string | undefined;
  /** Lets this reader end the share. */
  readonly endToken?: string | undefined;
}

/** An opened share, with what opens its files. */
export interface OpenedShare {
  readonly page: SealedPage;
  readonly share: SealedShare;
  readonly content: SealedContent;
  readonly key: SealKey;
  readonly fragment: string;
}

const client = createClient();

/** Asks for the envelope: as the owner, which is no view, or with the proof of the key. */
const requestShare = async ({ id, ownId }: SealedPage, key: SealKey): Promise<SealedShare> => {
  const found =
    ownId === undefined
      ? await client.call('GET /api/share', {
          query: { id },
          headers: { 'x-share-proof': await toProof(key), 'x-share-claim': takeClaim() },
        })
      : await client.call('GET /api/share', { query: { id: ownId, mine: 'true' } });
  if ('content' in found) return found;
  throw new Error('The response is no share.');
};

/**
 * Opens the share of a page: proves the key, which counts a view unless the reader is the owner, and decrypts it.
 * @throws ApiError, SealedError
 */
export const openShare = async (
  page: SealedPage,
  fragment: string,
  passphrase: string | undefined,
): Promise<OpenedShare> => {
  const key = await readKey(fragment, passphrase);
  const share = await requestShare(page, key);
  return { page, share, key, fragment, content: await openContent(key, share.content) };
};
