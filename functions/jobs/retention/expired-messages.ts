import { type ListQuery, queryItems } from '../../../shared/db/query.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { messageKeys } from '../../api/messages/keys.ts';
import { openMailbox } from '../../api/messages/mailbox.ts';
import { removeFrom } from '../../api/messages/messages.ts';

/** How many copies of a list are read at once. */
const atOnce = 100;

/** Creates the query of a user's copies with ids below one, oldest first. */
const queryBelow = (
  list: 'unread' | 'read' | 'sent',
  userId: number,
  firstKept: number,
): ListQuery => {
  const { pk, sk } = messageKeys[list].at({ userId, id: 0 });
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':oldest': sk,
      ':newest': messageKeys[list].at({ userId, id: firstKept - 1 }).sk,
    },
  };
};

const findExpired = async (userId: number, firstKept: number): Promise<number[]> => {
  const lists = await Promise.all(
    (['unread', 'read', 'sent'] as const).map((list) =>
      queryItems(queryBelow(list, userId, firstKept), atOnce, undefined),
    ),
  );
  // A message to oneself is in two of them.
  return [...new Set(lists.flat().map(({ id }) => id as number))].toSorted((a, b) => a - b);
};

/** The user deleted it concurrently. */
const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
};

/**
 * Deletes a user's copies of messages with ids below `firstKept`, oldest first, each as if the user did: with its counts, its
 * words and its right to the attachments; the last copy deletes the message. Returns whether all are done. Safe to repeat.
 * @throws AppError SERVICE_UNAVAILABLE while the user's mailbox changes too often
 */
export const deleteExpired = async (
  userId: number,
  firstKept: number,
  { deadline }: Deadline,
): Promise<boolean> => {
  if (firstKept <= 0) return true;
  while (Date.now() < deadline) {
    const ids = await findExpired(userId, firstKept);
    if (ids.length === 0) return true;
    const mailbox = await openMailbox(userId);
    for (const id of ids) {
      if (Date.now() >= deadline) return false;
      await removeFrom(mailbox, id).catch(ignoreMissing);
    }
  }
  return false;
};
