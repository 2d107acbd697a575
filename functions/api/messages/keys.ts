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
  /** Unread message in the inbox. */
  unread: keyFamily('USER#{userId:int}', 'UNREAD#{id:id}'),
  /** Read message in the inbox. */
  read: keyFamily('USER#{userId:int}', 'READ#{id:id}'),
  /** Sent message. */
  sent: keyFamily('USER#{userId:int}', 'SENT#{id:id}'),
  /** Newest copy of a conversation, with its counts. */
  conversation: keyFamily('USER#{userId:int}', 'COPY#{id:id}#LATEST'),
  /** Any other copy of it. */
  copy: keyFamily('USER#{userId:int}', 'COPY#{conversationId:id}#{id:id}'),
  /** Conversations by latest message. */
  byLatest: keyFamily('USER#{userId:int}', 'LATEST#{latestId:id}'),
} as const;
