import { putIf } from '../../shared/conditional-write.ts';
import { keys } from '../../shared/table.ts';
import { find } from './documents.ts';

/** As long as notifications are kept (decisions §5). */
const keptMs = 90 * 86_400_000;

/** That somebody let users see a document, at a time (ISO 8601). */
export interface Sharing {
  readonly id: number;
  readonly userIds: readonly number[];
  readonly sharedBy: number;
  readonly sharedAt: string;
}

/** Notes for users that a document was shared with them: for those who still see it so, once however often it is asked for. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const { id, userIds, sharedBy, sharedAt } = sharing;
  const document = await find(id);
  if (!document || document.deletedAt !== undefined) return;
  const readers = userIds.filter((userId) => document.sharedWith.includes(userId));
  await Promise.all(
    readers.map((userId) =>
      putIf({
        Item: {
          ...keys.noticeTo(userId, sharedAt, String(id)),
          type: 'document-shared',
          documentId: id,
          sharedBy,
          createdAt: sharedAt,
          ttl: Math.ceil((Date.parse(sharedAt) + keptMs) / 1_000),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
};
