import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { assertAllowed } from '../changing/audience.ts';
import { linkEmail } from '../codes/jobs.ts';
import { auditedShare } from '../record/audit.ts';
import { assertWithinCeiling } from '../record/ceiling.ts';
import { shareKeys } from '../record/keys.ts';
import {
  assertLinkOpen,
  createProofId,
  findLinkEnd,
  getLinkAudience,
  type StoredLink,
} from '../record/links.ts';
import { endedError, getShareStatus, retryOnConflict } from '../record/share.ts';
import {
  assertMailable,
  assertMailOn,
  findOwnWithLink,
  type LinkChange,
  type ShareLink,
  toAudited,
} from './links.ts';

const withoutMail = ({ sentAt, bouncedAt, bounceReason, verifiedAt, ...link }: StoredLink) => link;

/** Returns a link with its changes. What was sent to a former address or proven by it is gone. */
const changeStored = (link: StoredLink, change: LinkChange, now: number): StoredLink => {
  const label = change.label ?? (link.label === link.email ? change.email : null) ?? link.label;
  const email = change.email === undefined ? link.email : (change.email ?? undefined);
  const isSame = email === link.email;
  const asks = change.verify ?? link.proofId !== undefined;
  if (asks && email === undefined) throw invalidField('email', 'is required with verify');
  const { email: _, proofId, ...rest } = isSame ? link : withoutMail(link);
  const isSentAgain = !isSame && email !== undefined && link.sentAt !== undefined && isMailOn();
  return {
    ...rest,
    label,
    ...(email !== undefined && { email }),
    ...(asks && { proofId: (isSame ? proofId : undefined) ?? createProofId() }),
    ...(isSentAgain && { sentAt: now }),
  };
};

const changeAccess = ({ access }: ShareLink, { viewLimit, expiresAt }: LinkChange) => {
  const { viewLimit: limitBefore, expiresAt: endBefore, ...rest } = access;
  const limit = viewLimit === undefined ? limitBefore : viewLimit;
  const end = expiresAt === undefined ? endBefore : expiresAt;
  return {
    ...rest,
    ...(limit != null && { viewLimit: limit }),
    ...(end != null && { expiresAt: end }),
  };
};

/** Replaces the item of a link, unless its address, its sending or what it asks for has changed. */
const putLinkWrite = (link: StoredLink, before: StoredLink): Write => {
  const fields = ['email', 'proofId', 'sentAt', 'bouncedAt', 'label'] as const;
  const conditions = fields.map((name) =>
    before[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
  );
  const known = fields.filter((name) => before[name] !== undefined);
  return {
    Put: {
      TableName: tableName(),
      Item: { ...link, ...shareKeys.link.at({ linkId: link.id }) },
      ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(fields.map((name) => [`#${name}`, name])),
      ...(known.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(
          known.map((name) => [`:${name}`, before[name]]),
        ),
      }),
    },
  };
};

/** Sets the limits of a link that wasn't revoked. Its views are left alone. */
const limitWrite = (
  { id, shareId }: StoredLink,
  { viewLimit, expiresAt }: { readonly viewLimit?: number; readonly expiresAt?: number },
): Write => {
  const limits = Object.entries({ viewLimit, expiresAt });
  const set = limits.filter(([, value]) => value !== undefined);
  const removed = limits.filter(([, value]) => value === undefined);
  const at = (name: string) => `#links.#link.${name}`;
  return {
    Update: {
      TableName: tableName(),
      Key: shareKeys.access.at({ id: shareId }),
      UpdateExpression: [
        ...(set.length > 0
          ? [`SET ${set.map(([name]) => `${at(name)} = :${name}`).join(', ')}`]
          : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => at(name)).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: `attribute_exists(#links.#link) AND attribute_not_exists(${at('revokedAt')})`,
      ExpressionAttributeNames: { '#links': 'links', '#link': id },
      ...(set.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(
          set.map(([name, value]) => [`:${name}`, value]),
        ),
      }),
    },
  };
};

/**
 * Changes a link of a user's share: proofs and codes of a former address end at once, and a link that was sent is sent to the
 * new one.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR for a code without an address; FORBIDDEN above the ceiling of an API token;
 *   UNPROCESSABLE for what the settings don’t allow; GONE if it was revoked
 */
export const changeLink = (
  actor: Actor,
  shareId: string,
  linkId: string,
  change: LinkChange,
  recorder: ChangeRecorder,
): Promise<ShareLink> =>
  retryOnConflict(async () => {
    const { share, access, found } = await findOwnWithLink(actor.user.id, shareId, linkId);
    if (findLinkEnd(found.access) === 'owner') assertLinkOpen(access, linkId);
    const link = changeStored(found.link, change, Date.now());
    const limits = changeAccess(found, change);
    if (change.verify !== undefined) assertAllowed(getLinkAudience(link), 'verify');
    if (link.proofId !== undefined && found.link.proofId === undefined) assertMailOn('verify');
    assertWithinCeiling(actor, {
      audience: getLinkAudience(link),
      createdAt: new Date(link.createdAt).toISOString(),
      viewLimit: limits.viewLimit,
      expiresAt:
        limits.expiresAt === undefined ? undefined : new Date(limits.expiresAt).toISOString(),
    });
    const isSent = link.email !== found.link.email && link.sentAt !== undefined;
    const after: ShareLink = { link, access: limits };
    const refused = await transact([
      { write: putLinkWrite(link, found.link), refused: 'changed' },
      { write: limitWrite(link, limits), refused: 'changed' },
      ...(isSent ? [enqueueWrite(linkEmail, { linkId, email: link.email ?? '' })] : []),
      ...recorder.steps({
        ...auditedShare(share),
        before: toAudited(found),
        after: toAudited(after),
      }),
    ]);
    return refused ? undefined : after;
  });

/** How long after a link was sent it is sent again, in ms. */
const pauseMs = 60_000;

/**
 * Emails a link of a user's share to its address, again if it was sent before.
 * @throws AppError NOT_FOUND; UNPROCESSABLE without an address, or while email is off; GONE if it was revoked or its share has
 *   ended; RATE_LIMITED within a minute
 */
export const sendLink = (
  actor: Actor,
  shareId: string,
  linkId: string,
  recorder: ChangeRecorder,
): Promise<ShareLink> =>
  retryOnConflict(async () => {
    const { share, access, found } = await findOwnWithLink(actor.user.id, shareId, linkId);
    const { link } = found;
    const status = getShareStatus({ share, access });
    if (status === 'ended' || status === 'taken-down') throw endedError();
    assertLinkOpen(access, linkId);
    assertMailable(share);
    assertMailOn('send');
    if (link.email === undefined) {
      throw new AppError('UNPROCESSABLE', 'The link has no email address.');
    }
    const now = Date.now();
    const waitMs = link.sentAt === undefined ? 0 : link.sentAt + pauseMs - now;
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      throw new AppError('RATE_LIMITED', `The link was just sent. Try again in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds) },
      });
    }
    const { bouncedAt, bounceReason, ...rest } = link;
    const sent: StoredLink = { ...rest, sentAt: now };
    const after: ShareLink = { ...found, link: sent };
    const refused = await transact([
      { write: putLinkWrite(sent, link), refused: 'changed' },
      enqueueWrite(linkEmail, { linkId, email: link.email }),
      ...recorder.steps({ ...auditedShare(share), after: toAudited(after) }),
    ]);
    return refused ? undefined : after;
  });
