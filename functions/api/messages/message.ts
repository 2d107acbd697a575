import { AppError } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';
import type { Author } from '../../../shared/users/person.ts';

export const types = ['text', 'image', 'file'] as const;

/** A message as the table keeps it, without its keys: one for all who have a copy, never changed. */
export interface StoredMessage {
  readonly id: number;
  /** The id of the first message of its conversation. */
  readonly conversationId: number;
  readonly senderId: number;
  /** With the names they had when it was sent; where it is shown, with those they have now. */
  readonly recipients: readonly {
    readonly id: number;
    readonly name: string;
    readonly avatar?: string | null;
  }[];
  readonly subject?: string;
  readonly type: (typeof types)[number];
  /** The content, or its beginning: what lists show. */
  readonly excerpt: string;
  /** Where the content is, when it is more than that. */
  readonly texts?: TextsRef;
  readonly replyTo?: number;
  readonly createdAt: string;
}

export const boxes = ['inbox', 'sent'] as const;
export type NotificationCounters = (typeof boxes)[number];

/** A user's copy of a message. One to oneself is in both boxes. */
export interface MailboxCopy {
  readonly id: number;
  readonly conversationId: number;
  readonly senderId: number;
  readonly boxes: readonly NotificationCounters[];
  /** Since when one in the inbox is read. */
  readonly readAt?: string;
}

/** What a user has of a conversation. */
export interface Conversation {
  readonly id: number;
  /** The newest of the user's copies. */
  readonly latestId: number;
  /** How many copies there are, and how many of them are unread. */
  readonly messages: number;
  readonly unread: number;
  /** Another one with every change. */
  readonly version: number;
}

/** A message as one of its users has it; `sender` is null where that user was removed. */
export interface FoundMessage {
  readonly message: StoredMessage;
  readonly copy: MailboxCopy;
  readonly sender: Author | null;
}

/** A message with its whole content. */
export interface WholeMessage extends FoundMessage {
  readonly content: string;
}

/** Does the copy wait to be read? What one has only sent never does. */
export const isUnread = (copy: MailboxCopy | undefined): boolean =>
  copy?.boxes.includes('inbox') === true && copy.readAt === undefined;

/** Did the copy come in, and was it read? */
export const isRead = (copy: MailboxCopy | undefined): boolean => copy?.readAt !== undefined;

/** The same for what never existed and for what the caller has no copy of. */
export const notFound = (what: 'message' | 'conversation' = 'message') =>
  new AppError('NOT_FOUND', `There is no such ${what} for you`);

/** What the audit calls a message. */
export const auditSubject = (id: number): string => `message:${id}`;

/** The id of the message that the audit calls so. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/**
 * Tries something again that answers `undefined` where somebody else was faster.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
export const untilDone = retryOnConflict('Your messages keep changing: try again');
