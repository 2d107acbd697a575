import { isLinkId, loadLink } from '../record/links.ts';
import { resolveShareId } from '../record/slugs.ts';

/** What the last part of the address of a share stands for. */
export interface Address {
  /** The id of the share. */
  readonly id: string;
  /** The id of the recipient link, if it is one. */
  readonly link?: string;
  /** The `proofId` of the link, if it asks for a code. */
  readonly proofId?: string | undefined;
  /** Whether it is a slug, which can be guessed. */
  readonly isNamed: boolean;
}

/** Returns the id that all addresses have for who came by this one: of the recipient link, or of the share. */
export const getAddressId = ({ id, link }: Pick<Address, 'id' | 'link'>): string => link ?? id;

/**
 * Finds the share of an address: its id, its slug or the id of a recipient link. An id takes no request, the others one.
 * @throws AppError NOT_FOUND for an unknown slug or link
 */
export const resolveAddress = async (text: string): Promise<Address> => {
  if (isLinkId(text)) {
    const { shareId, proofId } = await loadLink(text);
    return { id: shareId, link: text, proofId, isNamed: false };
  }
  const id = await resolveShareId(text);
  return { id, isNamed: id !== text };
};
