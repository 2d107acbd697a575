import { incrementTotal } from '../../../shared/counters/total.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../shared/db/transaction.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  type TextsRef,
} from '../../../shared/storage/stored-text.ts';
import { messageKeys } from './keys.ts';
import type { StoredMessage } from './message.ts';

/** The characters of the content shown in lists. Shorter content is stored in the message itself. */
const excerptLength = 1_000;

/** Returns the beginning of the content, without splitting a surrogate pair. */
const toExcerpt = (content: string): string => {
  const splitsPair = /[\ud800-\udbff]/.test(content.charAt(excerptLength - 1));
  return content.slice(0, excerptLength - Number(splitsPair));
};

/** The content of a new message: its excerpt and the write for the transaction. */
interface StoredContent {
  readonly excerpt: string;
  readonly ref: TextsRef | undefined;
  readonly write: Write | undefined;
}

/**
 * Stores the content of a new message.
 * @throws errors of S3
 */
export const storeContent = async (id: number, content: string): Promise<StoredContent> => {
  const excerpt = toExcerpt(content);
  if (excerpt === content) return { excerpt, ref: undefined, write: undefined };
  return { excerpt, ...(await storeTexts(messageKeys.content.at({ id }), { content })) };
};

/**
 * Returns the content of a message; `undefined` if all users have since deleted it. Pass `item`, the item of the stored
 * content, if it was read with the message.
 */
export const readContent = async (
  { id, excerpt, texts }: StoredMessage,
  item?: Record<string, unknown>,
): Promise<string | undefined> =>
  texts
    ? (await readTexts(messageKeys.content.at({ id }), texts, ['content'], item))?.content
    : excerpt;

/** Returns the writes of a new message with a number of copies. */
export const createMessageWrites = (message: StoredMessage, copies: number) => ({
  message: createItemWrite(messageKeys.record.at({ id: message.id }), message),
  copies: createItemWrite(messageKeys.copyCount.at({ id: message.id }), { copies }),
  total: incrementTotal('messages', 1),
});

/**
 * Returns the writes that release one user's copy, for the transaction that deletes it. The last copy deletes the message.
 * They fail if `copies`, the number read before, has changed.
 */
export const releaseWrites = (
  { id, texts }: StoredMessage,
  copies: number,
): Readonly<Record<string, Write | undefined>> => {
  const Key = messageKeys.copyCount.at({ id });
  const condition = (expression: string) => ({
    TableName: tableName(),
    Key,
    ConditionExpression: expression,
    ExpressionAttributeNames: { '#copies': 'copies' },
  });
  if (copies > 1) {
    const update = {
      ...condition('#copies > :one'),
      UpdateExpression: 'ADD #copies :minusOne',
      ExpressionAttributeValues: { ':one': 1, ':minusOne': -1 },
    };
    return { copies: { Update: update } };
  }
  return {
    copies: {
      Delete: { ...condition('#copies = :one'), ExpressionAttributeValues: { ':one': 1 } },
    },
    message: deleteItemWrite(messageKeys.record.at({ id })),
    total: incrementTotal('messages', -1),
    texts: texts && removeTexts(messageKeys.content.at({ id }), texts),
  };
};
