import * as z from 'zod';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { Download } from '../files/schemas.ts';
import { downloadAttachment } from './attachments.ts';
import { MessageInput, ReadInput, toDraft } from './input.ts';
import { sendLimits } from './limits.ts';
import { getUnreadCount, list, listConversation, listConversations } from './list.ts';
import { readPending } from './mailbox.ts';
import { boxes } from './message.ts';
import { mark, read, remove } from './messages.ts';
import {
  ConversationMessagePage,
  ConversationPage,
  Message,
  MessagePage,
  toConversation,
  toConversationPage,
  toDetail,
  toListed,
  UnreadMessages,
} from './schemas.ts';
import { searchConversations, searchMessages } from './search.ts';
import { send } from './send.ts';

const params = z.object({ id: RecordId });

const emptyAsUndefined = (value: unknown) => value || undefined;

const ConversationQuery = z.object({
  ...pageQuery,
  search: z.preprocess(
    emptyAsUndefined,
    z.string().max(200).optional().meta({
      description:
        'Finds conversations with words that start with each of these in the subject of the last message or the names of their people. A page can have fewer items than `pageSize`, or none, while `nextCursor` says that there is more to search.',
    }),
  ),
  ...sortBy(['updatedAt']),
});

const AttachmentQuery = z.object({
  inline: z.preprocess(
    emptyAsUndefined,
    z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((text) => text === 'true')
      .meta({ description: 'Display the file instead of saving it, as for files.' }),
  ),
});

const boxFilters = [...boxes, 'all'] as const;

const MessageQuery = z.object({
  ...pageQuery,
  search: z.preprocess(
    emptyAsUndefined,
    z.string().max(200).optional().meta({
      description:
        'Finds messages with words that start with each of these: at least one in the content or the names of the files, others there, in the subject or the names of people too. The last message of a conversation is also found by its subject and people alone. Of long content, about the first 250 different words are found. Cannot be combined with `unread`. A page can have fewer items than `pageSize`, or none, while `nextCursor` says that there is more to search.',
    }),
  ),
  box: z.preprocess(
    (value) => value || undefined,
    z
      .enum(boxFilters, `must be one of ${boxFilters.join(', ')}`)
      .default('inbox')
      .meta({
        description:
          'The mailbox. `all` is the inbox and the sent messages; a message to yourself is in both.',
      }),
  ),
  unread: z
    .enum(['true', 'false', ''], 'must be true or false')
    .transform((value) => (value ? value === 'true' : undefined))
    .optional()
    .meta({
      description:
        '`true` for unread messages of the inbox; `false` for read ones, with `box=all` also those you sent to others.',
    }),
  ...sortBy(['createdAt']),
});

export const routes = [
  route({
    endpoint: 'GET /api/messages',
    access: 'messages:view',
    summary: 'List your messages',
    description:
      'Returns the messages of a mailbox, newest first, each with the first 1,000 characters of its content.',
    query: MessageQuery,
    output: MessagePage,
    readAhead: readPending,
    handle: async ({ actor, query: { box, unread, search, ...page }, ahead }) => {
      if (search === undefined) {
        return paginated(await list(actor.user.id, { box, unread }, page, ahead), toListed);
      }
      if (unread !== undefined) throw invalidField('unread', 'cannot be combined with search');
      return paginated(await searchMessages(actor.user.id, search, box, page, ahead), toListed);
    },
  }),
  route({
    endpoint: 'GET /api/messages/unread-count',
    access: 'messages:view',
    summary: 'Count your unread messages',
    description: 'Counts the unread messages in your inbox.',
    output: UnreadMessages,
    readAhead: readPending,
    handle: async ({ actor, ahead }) =>
      success({ count: await getUnreadCount(actor.user.id, ahead) }),
  }),
  route({
    endpoint: 'GET /api/messages/conversations',
    access: 'messages:view',
    summary: 'List your conversations',
    description: 'Returns your conversations, the most recent first, each with its last message.',
    query: ConversationQuery,
    output: ConversationPage,
    readAhead: readPending,
    handle: async ({ actor, query: { search, ...page }, ahead }) =>
      paginated(
        search === undefined
          ? await listConversations(actor.user.id, page, ahead)
          : await searchConversations(actor.user.id, search, page, ahead),
        toConversation,
      ),
  }),
  route({
    endpoint: 'GET /api/messages/conversations/{id}',
    access: 'messages:view',
    summary: 'List messages of a conversation',
    description: 'Returns the messages of a conversation that you sent or received, newest first.',
    params,
    query: z.object({ ...pageQuery, ...sortBy(['createdAt']) }),
    output: ConversationMessagePage,
    readAhead: readPending,
    handle: async ({ actor, params: { id }, query, ahead }) =>
      toConversationPage(await listConversation(actor.user.id, id, query, ahead)),
  }),
  route({
    endpoint: 'GET /api/messages/{id}',
    access: 'messages:view',
    summary: 'Get a message',
    description: 'Returns the message with its whole content. Doesn’t mark it as read.',
    params,
    output: Success(Message),
    handle: async ({ actor, params: { id } }) => success(toDetail(await read(actor.user.id, id))),
  }),
  route({
    endpoint: 'GET /api/messages/{id}/attachments/{fileId}',
    access: 'messages:view',
    summary: 'Download an attachment',
    description:
      'Redirects to a signed S3 URL, which is valid until `expiresAt`, for a file that is attached to one of your messages. HEAD redirects to one for HEAD.',
    params: z.object({ id: RecordId, fileId: RecordId }),
    query: AttachmentQuery,
    status: 302,
    output: Success(Download),
    handle: async ({ actor, params: ids, query: { inline }, isHead }) => {
      const found = await downloadAttachment(actor.user.id, ids, { inline, isHead });
      return new Reply(success(found), { headers: { location: found.url } });
    },
  }),
  route({
    endpoint: 'POST /api/messages',
    access: 'messages:create',
    summary: 'Send a message',
    description:
      'Sends a copy to each of up to 50 users. Either all of them get it or none. Each recipient accepts up to 30 messages per hour from the same sender.',
    status: 201,
    body: MessageInput,
    output: Success(Message),
    errors: { PAYLOAD_TOO_LARGE: 'The content exceeds 64 KB.' },
    limits: sendLimits,
    auditAction: 'message.send',
    idempotency: {
      replay: async ({ actor }, subject) =>
        success(toDetail(await read(actor.user.id, parseSubjectId(subject))), 'Sent'),
    },
    handle: async ({ actor, body, recorder }) =>
      success(toDetail(await send(actor, toDraft(body), recorder)), 'Sent'),
  }),
  route({
    endpoint: 'PUT /api/messages/{id}/read',
    access: 'messages:view',
    summary: 'Mark a message as read',
    description: 'Marks a message in your inbox as read, or as unread with `read: false`.',
    params,
    body: ReadInput,
    output: Success(Message),
    auditAction: 'none',
    handle: async ({ actor, params: { id }, body }) => {
      const isRead = body.read ?? true;
      const marked = await mark(actor.user.id, id, isRead);
      return success(toDetail(marked), isRead ? 'Marked as read' : 'Marked as unread');
    },
  }),
  route({
    endpoint: 'DELETE /api/messages/{id}',
    access: 'messages:delete',
    summary: 'Delete a message',
    description: 'Deletes your copy permanently. Other users keep theirs.',
    params,
    output: Deleted,
    auditAction: 'none',
    handle: async ({ actor, params: { id } }) => {
      await remove(actor.user.id, id);
      return success({ id }, 'Deleted');
    },
  }),
];
