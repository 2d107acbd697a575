import * as z from 'zod';
import {
  examplePage,
  Paginated,
  paginated,
  Success,
  success,
} from '../../../shared/http/envelope.ts';
import type { ListResult } from '../../../shared/lists/pagination.ts';
import type { FoundConversation } from './list.ts';
import { type FoundMessage, isUnread, type MessageDetail, types } from './message.ts';

const createdAt = '2026-11-21T12:00:00.000Z';
const id = z.int().positive();
const time = z.iso.datetime();

const exampleMessage = {
  id: 244_212_480_012_288,
  conversationId: 244_212_480_012_288,
  sender: { id: 244_212_480_000_000, name: 'Ann Example', avatar: null },
  recipients: [244_212_480_004_096],
  to: [{ id: 244_212_480_004_096, name: 'Bob Example', avatar: null }],
  subject: 'Lunch',
  content: 'At noon?',
  isExcerpt: false,
  type: 'text' as const,
  replyTo: null,
  attachments: [{ id: 244_212_480_008_192, name: 'menu.pdf', size: 48_213 }],
  read: false,
  readAt: null,
  created_at: createdAt,
  createdAt,
};

const Participant = z.object({ id, name: z.string(), avatar: z.string().nullable() });

const participants = z.array(Participant).meta({
  description: 'Everyone else of the conversation, as far as you have its messages; 50 at most.',
});

/** A message in its API form. */
export const Message = z
  .object({
    id,
    conversationId: id.meta({
      description: 'The id of the conversation: that of its first message.',
    }),
    sender: Participant.meta({
      description: 'Who sent it. A deleted user has the name at the time of sending.',
    }),
    recipients: z.array(id).meta({ description: 'Ids of the recipients.' }),
    to: z
      .array(Participant)
      .meta({ description: 'The recipients. A deleted user has the name at the time of sending.' }),
    subject: z.string().nullable(),
    content: z.string(),
    isExcerpt: z.boolean().meta({
      description: 'Whether `content` is cut. Lists contain up to 1,000 characters.',
    }),
    type: z.enum(types),
    replyTo: id.nullable().meta({ description: 'The id of the message it replies to.' }),
    attachments: z.array(z.object({ id, name: z.string(), size: z.int().nonnegative() })).meta({
      description: 'Its files, as they were when it was sent. One may have been deleted since.',
    }),
    read: z.boolean().meta({
      description: 'Whether you have read it. Messages you sent to others count as read.',
    }),
    readAt: time.nullable(),
    created_at: time,
    createdAt: time,
  })
  .meta({ id: 'Message', examples: [exampleMessage] });

export const MessagePage = Paginated(Message).meta({
  id: 'MessagePage',
  examples: [examplePage(exampleMessage)],
});

const exampleConversation = {
  id: exampleMessage.conversationId,
  subject: 'Lunch',
  participants: [exampleMessage.sender],
  lastMessage: exampleMessage,
  messageCount: 1,
  unreadCount: 1,
  updated_at: createdAt,
  updatedAt: createdAt,
};

/** A conversation in its API form, with the messages of one user. */
export const Conversation = z
  .object({
    id,
    subject: z.string().nullable().meta({ description: 'The subject of the last message.' }),
    participants,
    lastMessage: Message,
    messageCount: z.int().positive(),
    unreadCount: z.int().nonnegative(),
    updated_at: time,
    updatedAt: time.meta({ description: 'When the last message was sent.' }),
  })
  .meta({ id: 'Conversation', examples: [exampleConversation] });

export const ConversationPage = Paginated(Conversation).meta({
  id: 'ConversationPage',
  examples: [examplePage(exampleConversation)],
});

/** A page of one conversation. */
export const ConversationMessagePage = Success(
  MessagePage.shape.data.extend({ participants }),
).meta({
  id: 'ConversationMessagePage',
  examples: [
    success({ ...examplePage(exampleMessage).data, participants: [exampleMessage.sender] }),
  ],
});

export const UnreadMessages = Success(z.object({ count: z.int().nonnegative() })).meta({
  id: 'UnreadMessages',
  examples: [{ success: true, data: { count: 3 } }],
});

const toResponse = (
  { message, copy, sender }: FoundMessage,
  content: string,
): z.output<typeof Message> => {
  const readAt = copy.boxes.includes('inbox') ? (copy.readAt ?? null) : message.createdAt;
  return {
    id: message.id,
    conversationId: message.conversationId,
    sender,
    recipients: message.recipients.map((recipient) => recipient.id),
    to: message.recipients.map(({ avatar = null, ...recipient }) => ({ ...recipient, avatar })),
    subject: message.subject ?? null,
    content,
    isExcerpt: message.texts !== undefined && content === message.excerpt,
    type: message.type,
    replyTo: message.replyTo ?? null,
    attachments: [...(message.attachments ?? [])],
    read: !isUnread(copy),
    readAt,
    created_at: message.createdAt,
    createdAt: message.createdAt,
  };
};

/** Converts a message to its API form in lists. */
export const toListed = (found: FoundMessage): z.output<typeof Message> =>
  toResponse(found, found.message.excerpt);

/** Converts a message to its API form with the whole content. */
export const toDetail = (found: MessageDetail): z.output<typeof Message> =>
  toResponse(found, found.content);

/** Converts a conversation to its API form. */
export const toConversation = ({
  conversation,
  latest,
  people,
}: FoundConversation): z.output<typeof Conversation> => {
  const { createdAt: updatedAt, subject } = latest.message;
  return {
    id: conversation.latest.conversationId,
    subject: subject ?? null,
    participants: [...people],
    lastMessage: toListed(latest),
    messageCount: conversation.messages,
    unreadCount: conversation.unread,
    updated_at: updatedAt,
    updatedAt,
  };
};

/** Converts a page of a conversation to its API form. */
export const toConversationPage = ({
  people,
  ...page
}: ListResult<FoundMessage> & Pick<FoundConversation, 'people'>): z.output<
  typeof ConversationMessagePage
> => success({ ...paginated(page, toListed).data, participants: [...people] });
