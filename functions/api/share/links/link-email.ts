import type * as z from 'zod';
import { isSuspended } from '../../../../shared/auth/user.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { compose, isLinkLike } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { linkEmail } from '../codes/jobs.ts';
import { loadShare } from '../reading/load.ts';
import { isOpenToAll } from '../record/audience.ts';
import { expectOwner, readOwner } from '../record/author.ts';
import { findLinkEnd, getLink, loadLinks } from '../record/links.ts';
import {
  type FoundShare,
  getShareStatus,
  getTitle,
  getUrl,
  type LinkAccess,
  type StoredShare,
} from '../record/share.ts';

/** Returns the title, if anyone may know it: it is part of what is shared. One that looks like a link leads nobody astray. */
const findTitle = (share: StoredShare): string | undefined => {
  const title = isOpenToAll(share) && !share.password ? getTitle(share) : undefined;
  return title === undefined || isLinkLike(title) ? undefined : title;
};

const formatDay = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(ms);

/** Says how long the link is valid, and how often it opens the share. */
const describeEnd = ({ share }: FoundShare, { expiresAt, viewLimit }: LinkAccess): string[] => {
  const expiry = getExpiry(share);
  const ends = [expiry && Date.parse(expiry), expiresAt].filter(
    (end) => end !== undefined && end !== '',
  ) as number[];
  return [
    ...(viewLimit === undefined
      ? []
      : [viewLimit === 1 ? 'It opens once.' : `It opens ${viewLimit} times.`]),
    ...(ends.length === 0 ? [] : [`It expires on ${formatDay(Math.min(...ends))} UTC.`]),
  ];
};

interface Letter {
  readonly found: FoundShare;
  readonly linkId: string;
  readonly email: string;
  readonly asksForCode: boolean;
  readonly author: { readonly name: string; readonly email?: string };
}

const composeLink = ({ found, linkId, email, asksForCode, author }: Letter) => {
  const { host } = new URL(getSetting('PUBLIC_URL'));
  const name = isLinkLike(author.name) ? 'Someone' : author.name;
  const title = findTitle(found.share);
  const asks = asksForCode ? ['It asks for a code, which we send to this address.'] : [];
  const about = [...asks, ...describeEnd(found, getLink(found.access, linkId))].join(' ');
  const who = author.email === undefined ? name : `${name} (${toShownEmail(author.email)})`;
  return compose({
    to: email,
    subject: `${name} shared a snippet with you`,
    before: title === undefined ? [] : [title],
    action: { label: 'Open snippet', url: getUrl(linkId) },
    after: about === '' ? [] : [about],
    signature: `You received this because ${who} shared it with ${toShownEmail(email)} at ${host}. Replies are not monitored.`,
  });
};

/**
 * Sends a recipient link to its address, if it is still for that one and opens a share, and email is enabled. The email tells
 * nothing that the recipient has to be admitted to.
 */
export const sendLinkEmail = async ({
  linkId,
  email,
}: z.output<typeof linkEmail.data>): Promise<void> => {
  if (!isMailOn()) return;
  const [link] = await loadLinks([linkId]);
  if (link?.email !== email) return;
  const owner = expectOwner(link.shareId);
  const found = await loadShare(link.shareId);
  const isOpen = getShareStatus(found) === 'active' && !findLinkEnd(getLink(found.access, linkId));
  if (!isOpen) return;
  const author = await readOwner({ share: found.share, owner });
  if (isSuspended(author)) return;
  const letter = { found, linkId, email, asksForCode: link.proofId !== undefined, author };
  await sendMail({ ...composeLink(letter), link: linkId });
};
