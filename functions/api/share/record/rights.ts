import type { Actor } from '../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { isOpenToAll } from './audience.ts';
import type { StoredShare } from './share.ts';

/** Requires that a user still exists and is suspended, leaving or neither as when read. */
export const ownerStatusCheck = ({
  id,
  status,
  deletesAt,
}: Pick<StoredUser, 'id' | 'status' | 'deletesAt'>): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: userKeys.record.at({ id }),
    ConditionExpression: `attribute_exists(pk) AND #status = :status AND attribute${deletesAt === undefined ? '_not' : ''}_exists(deletesAt)`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  },
});

/** Whether the actor can end a share: as its owner or a moderator. */
export const canClose = ({ user, permissions }: Actor, { ownerId }: StoredShare): boolean =>
  ownerId === user.id || can(permissions, 'shares:manage');

/**
 * Whether the actor can see and change a share: as its owner, or as a moderator of one that anyone can open
 * (decisions.md#moderation).
 */
export const canEdit = (actor: Actor, share: StoredShare): boolean =>
  share.ownerId === actor.user.id || (isOpenToAll(share) && canClose(actor, share));
