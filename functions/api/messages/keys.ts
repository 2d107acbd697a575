import { keyFamily } from '../../../shared/db/key.ts';

export const messageKeys = {
  /** Message. */
  record: keyFamily('MESSAGE#{id:int}', 'MESSAGE'),
  /** Compressed content, if longer than lists show and not in the bucket. */
  content: keyFamily('MESSAGE#{id:int}', 'TEXTS'),
  /** Number of users who have or will get a copy. */
  copyCount: keyFamily('MESSAGE#{id:int}', 'COPIES'),
  /** Message that is being delivered to a user. */
  delivery: keyFamily('USER#{userId:int}', 'UPDATES#DELIVERY#{id:id}'),
  /** Message counters of a user. */
  mailbox: keyFamily('USER#{userId:int}', 'UPDATES#MAILBOX'),
  /** Copy in the inbox. */
  inbox: keyFamily('USER#{userId:int}', 'INBOX#{id:id}'),
  /** Copy among sent messages. */
  sent: keyFamily('USER#{userId:int}', 'SENT#{id:id}'),
  /** Unread message. */
  unread: keyFamily('USER#{userId:int}', 'UNREAD#{id:id}'),
  /** Read message. */
  read: keyFamily('USER#{userId:int}', 'READ#{id:id}'),
  /** Copy in its conversation. */
  copy: keyFamily('USER#{userId:int}', 'COPY#{conversationId:id}#{id:id}'),
  /** Conversation with its counts. */
  conversation: keyFamily('USER#{userId:int}', 'CONVERSATION#{id:id}'),
  /** Conversations by latest message. */
  byLatest: keyFamily('USER#{userId:int}', 'LATEST#{latestId:id}'),
} as const;
