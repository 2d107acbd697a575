import { countSteps } from '../../../shared/counters/counter.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  transact,
  type Write,
} from '../../../shared/db/transaction.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  type TextsRef,
} from '../../../shared/storage/stored-text.ts';
import { messageCounts } from './counters.ts';
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

/** Returns the steps that create a message with a number of copies. They fail if its id is taken. */
export const createMessage = (
  message: StoredMessage,
  copies: number,
): readonly Step<'changed'>[] => [
  {
    write: createItemWrite(messageKeys.record.at({ id: message.id }), message),
    refused: 'changed',
  },
  { write: createItemWrite(messageKeys.copyCount.at({ id: message.id }), { copies }) },
  ...countSteps([], messageCounts),
];

/** Returns the write that releases one of the copies; it fails if `copies`, the number read before, has changed. */
const countWrite = (id: number, copies: number): Write => {
  const condition = (expression: string) => ({
    TableName: tableName(),
    Key: messageKeys.copyCount.at({ id }),
    ConditionExpression: expression,
    ExpressionAttributeNames: { '#copies': 'copies' },
  });
  if (copies === 1) {
    const values = { ExpressionAttributeValues: { ':one': 1 } };
    return { Delete: { ...condition('#copies = :one'), ...values } };
  }
  return {
    Update: {
      ...condition('#copies > :one'),
      UpdateExpression: 'ADD #copies :minusOne',
      ExpressionAttributeValues: { ':one': 1, ':minusOne': -1 },
    },
  };
};

/**
 * Returns the steps that release one user's copy, for the transaction that deletes it. The last copy deletes the message.
 * They fail if `count`, the item read before, has changed.
 */
export const releaseSteps = (
  { id, texts }: StoredMessage,
  count: Item | undefined,
): readonly Step<'changed'>[] => {
  // Without a count, another request has released the last copy, and the transaction fails.
  const copies = (count?.['copies'] as number | undefined) ?? 1;
  const release: Step<'changed'> = { write: countWrite(id, copies), refused: 'changed' };
  if (copies > 1) return [release];
  return [
    release,
    { write: deleteItemWrite(messageKeys.record.at({ id })) },
    ...countSteps(messageCounts, []),
    { write: texts && removeTexts(messageKeys.content.at({ id }), texts) },
  ];
};

/**
 * Removes a deleted user's copy or delivery of a message by the write given, which fails if it was removed before. Returns
 * `undefined` on a concurrent write.
 */
export const releaseOnce = async (
  message: StoredMessage,
  write: Write,
): Promise<true | undefined> => {
  const [count] = await batchGet([messageKeys.copyCount.at({ id: message.id })]);
  const refused = await transact([{ write, refused: 'gone' }, ...releaseSteps(message, count)]);
  return refused?.by === 'changed' ? undefined : true;
};
