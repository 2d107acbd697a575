import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError, refusedField } from '../../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { assertAllowed } from '../changing/audience.ts';
import { linkEmail } from '../codes/jobs.ts';
import { loadShare } from '../reading/load.ts';
import { auditedShare } from '../record/audit.ts';
import { narrow } from '../record/ceiling.ts';
import {
  addLinkSteps,
  createLinkId,
  createProofId,
  getLink,
  getLinkAudience,
  loadLink,
  loadLinks,
  maxLinks,
  revokeLinkWrite,
  type StoredLink,
} from '../record/links.ts';
import {
  endedError,
  type FoundShare,
  getEnd,
  getShareStatus,
  isTombstoneExpired,
  type LinkAccess,
  notFound,
  retryOnConflict,
  type ShareAccess,
  type StoredShare,
} from '../record/share.ts';

/** The input of a new recipient link. `expiresAt` is in ms since 1970. */
export interface NewLink {
  readonly label: string;
  readonly email: string | undefined;
  readonly send: boolean;
  readonly verify: boolean;
  readonly viewLimit: number | undefined;
  readonly expiresAt: number | undefined;
}

/** A change of a recipient link: `undefined` leaves a field as it is, null removes it. */
export interface LinkChange {
  readonly label: string | undefined;
  readonly email: string | null | undefined;
  readonly verify: boolean | undefined;
  readonly viewLimit: number | null | undefined;
  readonly expiresAt: number | null | undefined;
}

/** A link with what its views require and count. */
export interface ShareLink {
  readonly link: StoredLink;
  readonly access: LinkAccess;
}

/**
 * Finds a share of a user, whatever its status.
 * @throws AppError NOT_FOUND, also if it belongs to someone else
 */
export const findOwn = async (ownerId: number, id: string): Promise<FoundShare> => {
  const found = await loadShare(id);
  if (found.share.ownerId !== ownerId || isTombstoneExpired(getEnd(found))) throw notFound();
  return found;
};

/**
 * Lists the links of a user's share, the oldest first; those of an ended share too, as long as that is known.
 * @throws AppError NOT_FOUND, also if the share belongs to someone else
 */
export const listLinks = async (ownerId: number, shareId: string): Promise<ShareLink[]> => {
  const { access } = await findOwn(ownerId, shareId);
  return loadShareLinks(access);
};

/** Reads the links of a share, the oldest first, in one round trip. */
export const loadShareLinks = async (access: ShareAccess): Promise<ShareLink[]> => {
  const links = await loadLinks(Object.keys(access.links));
  return links
    .map((link) => ({ link, access: getLink(access, link.id) }))
    .toSorted((one, other) => one.link.createdAt - other.link.createdAt);
};

/** Describes a link for the audit log. Its id would open the share. */
export const toAudited = ({ link, access: { viewLimit, expiresAt } }: ShareLink) => ({
  link: link.label,
  ...(link.email !== undefined && { email: link.email, asksForCode: link.proofId !== undefined }),
  ...(link.sentAt !== undefined && { sentAt: new Date(link.sentAt).toISOString() }),
  ...(viewLimit !== undefined && { viewLimit }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
});

/**
 * Asserts that this service sends emails, for an input that needs them.
 * @throws AppError UNPROCESSABLE about this field
 */
export const assertMailOn = (field: string): void => {
  if (isMailOn()) return;
  throw refusedField(
    field,
    'needs email, which is off in this service; pass on the url of the link instead',
  );
};

/** Asserts that an email can open the share: it can't carry the key of a sealed one. @throws AppError UNPROCESSABLE */
export const assertMailable = ({ sealed }: Pick<StoredShare, 'sealed'>): void => {
  if (!sealed) return;
  throw refusedField(
    'send',
    'is not for a sealed share: the service has no key to send; pass on the url of the link with the key yourself',
  );
};

/**
 * Creates a link of a user's share, and emails it if asked.
 * @throws AppError NOT_FOUND; UNPROCESSABLE for what the settings don’t allow; FORBIDDEN above the ceiling of an API token; GONE if the share has ended or was taken down; CONFLICT if it has the maximum of links
 */
export const createLink = (
  actor: Actor,
  shareId: string,
  asked: NewLink,
  recorder: ChangeRecorder,
): Promise<ShareLink> =>
  retryOnConflict(async () => {
    const found = await findOwn(actor.user.id, shareId);
    const proofId = asked.verify ? createProofId() : undefined;
    const audience = getLinkAudience({ proofId });
    assertAllowed(audience, 'link');
    if (asked.verify) assertMailOn('verify');
    if (asked.send) {
      assertMailable(found.share);
      assertMailOn('send');
    }
    const { label, email, viewLimit, expiresAt } = narrow(actor, asked, audience);
    const status = getShareStatus(found);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    if (Object.keys(found.access.links).length >= maxLinks) {
      throw new AppError('CONFLICT', `A share can have ${maxLinks} links, revoked ones included.`);
    }
    const id = createLinkId();
    const created: ShareLink = {
      link: {
        ...{ id, shareId, label, createdAt: Date.now() },
        ...(email !== undefined && { email }),
        ...(proofId !== undefined && { proofId }),
        ...(asked.send && { sentAt: Date.now() }),
      },
      access: {
        views: 0,
        ...(viewLimit !== undefined && { viewLimit }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
    };
    const refused = await transact([
      ...addLinkSteps(created.link, created.access),
      ...(asked.send && email !== undefined
        ? [enqueueWrite(linkEmail, { linkId: id, email })]
        : []),
      ...recorder.steps({ ...auditedShare(found.share), created: id, after: toAudited(created) }),
    ]);
    return refused ? undefined : created;
  });

/** Finds a user's share and its link at the same time. */
export const findOwnWithLink = async (ownerId: number, shareId: string, id: string) => {
  const [{ share, access }, link] = await Promise.all([findOwn(ownerId, shareId), loadLink(id)]);
  return { share, access, found: { link, access: getLink(access, id) } };
};

/**
 * Reads a link of a user's share.
 * @throws AppError NOT_FOUND, also for a link of another share
 */
export const findOwnLink = async (
  ownerId: number,
  shareId: string,
  id: string,
): Promise<ShareLink> => (await findOwnWithLink(ownerId, shareId, id)).found;

/**
 * Revokes a link of a user's share. Its views stay listed, and other links are left alone. Repeated, it changes nothing.
 * @throws AppError NOT_FOUND, also for an unknown link
 */
export const revokeLink = (
  ownerId: number,
  shareId: string,
  linkId: string,
  recorder: ChangeRecorder,
): Promise<ShareLink> =>
  retryOnConflict(async () => {
    const { share, found } = await findOwnWithLink(ownerId, shareId, linkId);
    if (found.access.revokedAt !== undefined) return found;
    const now = Date.now();
    const refused = await transact([
      { write: revokeLinkWrite(found.link, now), refused: 'changed' },
      ...recorder.steps({ ...auditedShare(share), before: toAudited(found) }),
    ]);
    return refused ? undefined : { ...found, access: { ...found.access, revokedAt: now } };
  });
