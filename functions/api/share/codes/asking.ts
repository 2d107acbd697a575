import {
  type CodePlace,
  loadCode,
  type StoredCode,
} from '../../../../shared/auth/email-codes/stored-code.ts';
import { assertAsking } from '../reading/access.ts';
import { loadShare } from '../reading/load.ts';
import { shareKeys } from '../record/keys.ts';
import { getLink, isLinkAllowed, isLinkId, loadLink, type StoredLink } from '../record/links.ts';
import { notFound } from '../record/share.ts';

/** A recipient link that asks for a code. */
export type AskingLink = StoredLink & Required<Pick<StoredLink, 'email' | 'proofId'>>;

/** Finds the newest code of a link. Strongly consistent. */
export const loadLinkCode = (linkId: string): Promise<StoredCode | undefined> =>
  loadCode(shareKeys.linkCode.at({ linkId }));

/** Returns where the codes of a link are kept. */
export const getCodePlace = ({ id: linkId, proofId }: AskingLink): CodePlace => ({
  key: shareKeys.linkCode.at({ linkId }),
  purpose: 'link code',
  proofId,
});

const asksForCode = (link: StoredLink): link is AskingLink =>
  link.email !== undefined && link.proofId !== undefined;

/**
 * Finds a recipient link that asks for a code. Nothing is told of its share, not even that it has ended.
 * @throws AppError NOT_FOUND, also for a link that asks for none; GONE if it was revoked
 */
export const loadAsking = async (id: string): Promise<AskingLink> => {
  if (!isLinkId(id)) throw notFound();
  const link = await loadLink(id);
  if (!asksForCode(link) || !isLinkAllowed(link)) throw notFound();
  const found = await loadShare(link.shareId);
  getLink(found.access, id);
  assertAsking(found, id);
  return link;
};
