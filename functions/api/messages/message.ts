import { type Item, itemParser } from '../../../shared/db/item-parser.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';
import type { Author } from '../../../shared/users/person.ts';

export const types = ['text', 'image', 'file'] as const;

/** A file of a message. */
export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

/** A message as stored in the table, without its keys. Immutable and shared by all copies. */
export interface StoredMessage {
  readonly id: number;
  /** The id of the first message of its conversation. */
  readonly conversationId: number;
  readonly senderId: number;
  /** The sender's name at the time of sending; the current one in responses of the API. */
  readonly senderName: string;
  /** With the names at the time of sending; the current ones in responses of the API. */
  readonly recipients: readonly {
    readonly id: number;
    readonly name: string;
    readonly avatar?: string | null;
  }[];
  readonly subject?: string;
  readonly type: (typeof types)[number];
  /** The beginning of the content, as shown in lists. */
  readonly excerpt: string;
  /** Where the content is stored if it is longer than the excerpt. */
  readonly texts?: TextsRef;
  /** The words by which a search finds it, if the content is longer than the excerpt. */
  readonly words?: string;
  readonly replyTo?: number;
  /** Files of the sender, with their names and sizes at the time of sending. */
  readonly attachments?: readonly Attachment[];
  readonly createdAt: string;
}

/** Parses a stored message. */
export const parseMessage = itemParser<StoredMessage>('message', [
  'id',
  'conversationId',
  'senderId',
  'senderName',
  'recipients',
  'type',
  'excerpt',
  'createdAt',
]);

export const boxes = ['inbox', 'sent'] as const;
export type MailboxName = (typeof boxes)[number];

/** A user's copy of a message. A message to oneself is in both mailboxes. */
export interface MailboxCopy {
  readonly id: number;
  readonly conversationId: number;
  readonly senderId: number;
  readonly boxes: readonly MailboxName[];
  /** When it was read, in the inbox. */
  readonly readAt?: string;
}

/** Parses a user's copy, or an index entry of one. */
export const parseCopy = itemParser<MailboxCopy>('copy of a message', [
  'id',
  'conversationId',
  'senderId',
  'boxes',
]);

/** A user's conversation. */
export interface Conversation {
  /** The user's newest copy. */
  readonly latest: MailboxCopy;
  /** The number of the user's copies. */
  readonly messages: number;
  readonly unread: number;
  /** The ids of its other people. Conversations stored before these were kept have none. */
  readonly people: readonly number[];
  /** Increases with every change of a copy that is or becomes the newest, and of the numbers. */
  readonly version: number;
}

/** A conversation as stored: its newest copy with the numbers of all. */
export type StoredConversation = MailboxCopy &
  Omit<Conversation, 'latest' | 'people'> & { readonly people?: readonly number[] };

const parseStored = itemParser<StoredConversation>('conversation', [
  'id',
  'conversationId',
  'senderId',
  'boxes',
  'messages',
  'unread',
  'version',
]);

/** Returns the copy in one of its items, without what else is there. */
export const toCopy = (item: Item): MailboxCopy => {
  const { id, conversationId, senderId, boxes, readAt } = parseCopy(item);
  return { id, conversationId, senderId, boxes, ...(readAt !== undefined && { readAt }) };
};

/** Parses a user's conversation. */
export const parseConversation = <Found extends Item | undefined>(
  item: Found,
): Conversation | Extract<Found, undefined> => {
  const found = parseStored(item);
  if (!found || !item) return undefined as Extract<Found, undefined>;
  const { messages, unread, people = [], version } = found;
  return { latest: toCopy(item), messages, unread, people, version };
};

/** A message with a user's copy. A deleted sender has the name at the time of sending. */
export interface FoundMessage {
  readonly message: StoredMessage;
  readonly copy: MailboxCopy;
  readonly sender: Author;
}

/** A message with its whole content. */
export interface MessageDetail extends FoundMessage {
  readonly content: string;
}

/** Reports whether a copy is in the inbox and unread. */
export const isUnread = (copy: MailboxCopy | undefined): boolean =>
  copy?.boxes.includes('inbox') === true && copy.readAt === undefined;

/** Reports whether a copy is in the inbox and read. */
export const isRead = (copy: MailboxCopy | undefined): boolean => copy?.readAt !== undefined;

/** The same error for unknown messages and those that the caller has no copy of. */
export const notFound = (kind: 'message' | 'conversation' = 'message') =>
  new AppError('NOT_FOUND', kind === 'message' ? 'Message not found.' : 'Conversation not found.');

/**
 * Retries an operation that returns `undefined` on a concurrent write.
 * @throws AppError SERVICE_UNAVAILABLE after the last attempt
 */
export const retryOnConflict = createRetry('The mailbox is being modified. Try again.');
