import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Condition } from '../../../../shared/db/field-update.ts';
import { createRandomText } from '../../../../shared/db/ids.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  type Write,
} from '../../../../shared/db/transaction.ts';
import type { Audience } from '../../../../shared/permissions/audiences.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { limitAudience } from '../../../../shared/users/audience.ts';
import { isOpen } from './access-state.ts';
import { shareKeys } from './keys.ts';
import { type LinkAccess, notFound, type ShareAccess } from './share.ts';

/** How many links a share can have, revoked ones included: each view writes the counters of all. */
export const maxLinks = 20;

/** A recipient link as stored, without what its views require and count. */
export interface StoredLink {
  readonly id: string;
  readonly shareId: string;
  readonly label: string;
  /** ms since 1970, as all times here. */
  readonly createdAt: number;
  /** The address of its recipient. */
  readonly email?: string;
  /** Identifies what a code proves, if the link asks for one: it is another one for another address. */
  readonly proofId?: string;
  /** When it was last asked to be sent to the address. */
  readonly sentAt?: number;
  /** When the address refused an email, and why. */
  readonly bouncedAt?: number;
  readonly bounceReason?: string;
  /** When a code was last entered. */
  readonly verifiedAt?: number;
}

const parseLink = itemParser<StoredLink>('recipient link', ['id', 'shareId', 'label']);

const linkPattern = /^to_[\w-]{22}$/;

/** Whether a text looks like the id of a recipient link, as no id of a share and no slug does. */
export const isLinkId = (text: string): boolean => linkPattern.test(text);

/** Creates an unguessable id of 128 random bits, which opens its share. */
export const createLinkId = (): string => `to_${createRandomText(16)}`;

/** Whether a link asks for a code. */
interface Asking {
  readonly proofId?: string | undefined;
}

/** Creates an id for what the codes of a link prove. */
export const createProofId = (): string => createRandomText(6);

/** Returns who can open a share by a link: who has it, or the one person whose address gets the codes. */
export const getLinkAudience = ({ proofId }: Asking): Audience =>
  proofId === undefined ? 'link' : 'people';

/** Whether the settings still allow a link: it opens the share to whom the audience of the share needn’t. */
export const isLinkAllowed = (link: Asking): boolean => {
  const audience = getLinkAudience(link);
  return limitAudience(audience) === audience;
};

/** Finds links that exist, in the order of their ids. Strongly consistent, in one round trip. */
export const loadLinks = async (ids: readonly string[]): Promise<StoredLink[]> => {
  if (ids.length === 0) return [];
  const items = await batchGet(ids.map((linkId) => shareKeys.link.at({ linkId })));
  return items.flatMap((item) => (item ? [parseLink(item)] : []));
};

/**
 * Finds a link.
 * @throws AppError NOT_FOUND
 */
export const loadLink = async (id: string): Promise<StoredLink> => {
  const [link] = await loadLinks([id]);
  if (!link) throw notFound();
  return link;
};

/** What ended a link, if it has ended apart from its share. */
export const findLinkEnd = (link: LinkAccess): 'owner' | 'views' | 'time' | undefined => {
  if (link.revokedAt !== undefined) return 'owner';
  if (link.viewLimit !== undefined && link.views >= link.viewLimit) return 'views';
  return link.expiresAt !== undefined && link.expiresAt <= Date.now() ? 'time' : undefined;
};

/** Returns the links by which a share can be opened, until they end or it does. */
export const loadOpenLinks = ({ links }: Pick<ShareAccess, 'links'>): Promise<StoredLink[]> =>
  loadLinks(
    Object.entries(links).flatMap(([id, link]) => (findLinkEnd(link) === undefined ? [id] : [])),
  );

const endedMessages = {
  owner: 'This link was revoked.',
  views: 'This link has reached its view limit.',
  time: 'This link has expired.',
} as const;

/**
 * Returns what views by a link of a share require and count.
 * @throws AppError NOT_FOUND
 */
export const getLink = ({ links }: ShareAccess, id: string): LinkAccess => {
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

/** Creates the steps that add a link to an open share that has fewer than the maximum. */
export const addLinkSteps = (link: StoredLink, access: LinkAccess): (Step<'changed'> | Write)[] => [
  {
    write: {
      Update: {
        TableName: tableName(),
        Key: shareKeys.access.at({ id: link.shareId }),
        UpdateExpression: 'SET #links.#link = :link',
        ConditionExpression: `${isOpen} AND attribute_not_exists(#links.#link) AND size(#links) < :maxLinks`,
        ExpressionAttributeNames: { '#links': 'links', '#link': link.id },
        ExpressionAttributeValues: { ':link': access, ':maxLinks': maxLinks },
      },
    },
    refused: 'changed',
  },
  createItemWrite(shareKeys.link.at({ linkId: link.id }), link),
];

/** Creates the write that revokes a link, unless it was revoked before. */
export const revokeLinkWrite = ({ id, shareId }: StoredLink, now: number): Write => ({
  Update: {
    TableName: tableName(),
    Key: shareKeys.access.at({ id: shareId }),
    UpdateExpression: 'SET #links.#link.revokedAt = :now',
    ConditionExpression:
      'attribute_exists(#links.#link) AND attribute_not_exists(#links.#link.revokedAt)',
    ExpressionAttributeNames: { '#links': 'links', '#link': id },
    ExpressionAttributeValues: { ':now': now },
  },
});

/** Creates the steps that delete the access item of a share with its links, unless a link was added since. */
export const deleteAccessSteps = (
  id: string,
  { links }: ShareAccess,
): (Step<'changed'> | Write)[] => {
  const linkIds = Object.keys(links);
  return [
    {
      write: {
        Delete: {
          TableName: tableName(),
          Key: shareKeys.access.at({ id }),
          // Links are added and never taken away.
          ConditionExpression: 'size(#links) = :count',
          ExpressionAttributeNames: { '#links': 'links' },
          ExpressionAttributeValues: { ':count': linkIds.length },
        },
      },
      refused: 'changed',
    },
    ...linkIds.map((linkId) => deleteItemWrite(shareKeys.link.at({ linkId }))),
  ];
};
