import { incrementTotal } from '../../../shared/counters/total.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../shared/db/transaction.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  type TextsRef,
} from '../../../shared/storage/stored-text.ts';
import type { StoredMessage } from './message.ts';

/** So many characters of a content are shown in lists; a shorter one is kept in the message itself. */
const excerptLength = 1_000;

/** The beginning of a content, cut between two characters. */
const toExcerpt = (content: string): string => {
  const isInside = /[\ud800-\udbff]/.test(content.charAt(excerptLength - 1));
  return content.slice(0, excerptLength - Number(isInside));
};

/** A content that is about to be stored: what the message keeps of it, and the writes for its transaction. */
interface StoredContent {
  readonly excerpt: string;
  readonly ref: TextsRef | undefined;
  readonly writes: Readonly<Record<string, Write>>;
}

/**
 * Stores the content of a new message.
 * @throws what S3 throws
 */
export const storeContent = async (id: number, content: string): Promise<StoredContent> => {
  const excerpt = toExcerpt(content);
  if (excerpt === content) return { excerpt, ref: undefined, writes: {} };
  return { excerpt, ...(await storeTexts(keys.messageContent(id), { content })) };
};

/**
 * A message's whole content. `item` is the item of its texts, where it has been read along with the message.
 * Answers `undefined` when it is no longer there, because everybody has deleted the message.
 */
export const readContent = async (
  { id, excerpt, texts }: StoredMessage,
  item?: Record<string, unknown>,
): Promise<string | undefined> =>
  texts ? (await readTexts(keys.messageContent(id), texts, ['content'], item))?.content : excerpt;

/** The writes of a new message that so many users have, for its transaction. */
export const putMessage = (message: StoredMessage, copies: number) => ({
  message: createItemWrite(keys.message(message.id), message),
  copies: createItemWrite(keys.messageCopies(message.id), { copies }),
  total: incrementTotal('messages', 1),
});

/**
 * The writes by which one user has a message no more, for the transaction that takes it from the user: with the last one
 * the message goes. `copies` is how many had it as that was read; where the write fails there are others by now.
 */
export const releaseMessage = (
  { id, texts }: StoredMessage,
  copies: number,
): Readonly<Record<string, Write>> => {
  const Key = keys.messageCopies(id);
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
    message: deleteItemWrite(keys.message(id)),
    total: incrementTotal('messages', -1),
    ...(texts && removeTexts(keys.messageContent(id), texts)),
  };
};
