import { randomBytes } from 'node:crypto';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Condition } from '../../../../shared/db/field-update.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { isOpen } from './access-state.ts';
import { shareKeys } from './keys.ts';
import { getUrl, notFound, type ShareAccess, type StoredLink } from './share.ts';

/** How many links a share can have, revoked ones included: each view writes all of them. */
export const maxLinks = 20;

/** Creates an unguessable id of twelve characters. It only counts together with the id of the share. */
export const createLinkId = (): string => randomBytes(9).toString('base64url');

/** Returns the URL of a recipient link. */
export const getLinkUrl = (shareId: string, link: string): string =>
  `${getUrl(shareId)}?link=${link}`;

/** What ended a link, if it has ended apart from its share. */
export const findLinkEnd = (link: StoredLink): 'owner' | 'views' | 'time' | undefined => {
  if (link.revokedAt !== undefined) return 'owner';
  if (link.viewLimit !== undefined && link.views >= link.viewLimit) return 'views';
  return link.expiresAt !== undefined && link.expiresAt <= Date.now() ? 'time' : undefined;
};

const endedMessages = {
  owner: 'This link was revoked.',
  views: 'This link has reached its view limit.',
  time: 'This link has expired.',
} as const;

/**
 * Returns a link of a share.
 * @throws AppError NOT_FOUND
 */
export const getLink = ({ links }: ShareAccess, id: string): StoredLink => {
  const link = Object.hasOwn(links, id) ? links[id] : undefined;
  if (!link) throw notFound();
  return link;
};

/**
 * Asserts that a share can be opened with a link, if one is given.
 * @throws AppError NOT_FOUND for an unknown link; GONE if it was revoked, has expired or reached its limit
 */
export const assertLinkOpen = (access: ShareAccess, id: string | undefined): void => {
  const end = id === undefined ? undefined : findLinkEnd(getLink(access, id));
  if (end !== undefined) throw new AppError('GONE', endedMessages[end]);
};

/** Returns the assignment that adds a view to a link, or takes it back. */
export const linkCount = (sign: '+' | '-'): string =>
  `#links.#link.#views = #links.#link.#views ${sign} :one`;

interface LinkView extends Required<Condition> {
  /** The assignments that count the view. */
  readonly update: string;
}

/** Requires an open link below its own limit, in the write that counts the view of its share. */
export const linkCondition = (id: string, now: number): LinkView => ({
  expression: [
    'attribute_exists(#links.#link)',
    '(attribute_not_exists(#links.#link.viewLimit) OR #links.#link.#views < #links.#link.viewLimit)',
    '(attribute_not_exists(#links.#link.expiresAt) OR #links.#link.expiresAt > :linkNow)',
    'attribute_not_exists(#links.#link.revokedAt)',
  ].join(' AND '),
  update: `${linkCount('+')}, #links.#link.firstViewedAt = if_not_exists(#links.#link.firstViewedAt, :linkNow), #links.#link.lastViewedAt = :linkNow`,
  names: { '#links': 'links', '#link': id },
  values: { ':linkNow': now },
});

/** Creates the write that adds a link to an open share that has fewer than the maximum. */
export const addLinkWrite = (shareId: string, linkId: string, link: StoredLink): Write => ({
  Update: {
    TableName: tableName(),
    Key: shareKeys.access.at({ id: shareId }),
    UpdateExpression: 'SET #links.#link = :link',
    ConditionExpression: `${isOpen} AND attribute_not_exists(#links.#link) AND size(#links) < :maxLinks`,
    ExpressionAttributeNames: { '#links': 'links', '#link': linkId },
    ExpressionAttributeValues: { ':link': link, ':maxLinks': maxLinks },
  },
});

/** Creates the write that revokes a link, unless it was revoked before. */
export const revokeLinkWrite = (shareId: string, linkId: string, now: number): Write => ({
  Update: {
    TableName: tableName(),
    Key: shareKeys.access.at({ id: shareId }),
    UpdateExpression: 'SET #links.#link.revokedAt = :now',
    ConditionExpression:
      'attribute_exists(#links.#link) AND attribute_not_exists(#links.#link.revokedAt)',
    ExpressionAttributeNames: { '#links': 'links', '#link': linkId },
    ExpressionAttributeValues: { ':now': now },
  },
});
