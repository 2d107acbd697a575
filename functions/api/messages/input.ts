import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { oneLine, optional, prose } from '../../../shared/input/fields.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { maxAttachments } from './attachments.ts';
import { types } from './message.ts';
import { maxRecipients, type RecipientFields } from './recipients.ts';
import type { Draft } from './send.ts';

const recipientsFormat = 'must be the id of a user, or a list of such ids';

const UserId = idField('a user');

/** More than the recipient limit, because ids can repeat. */
const maxIds = 500;

const users = optional(
  z.union(
    [UserId, z.array(UserId).max(maxIds, `must contain at most ${maxIds} ids`)],
    recipientsFormat,
  ),
);

/** The fields that contain recipients. */
const recipientFields = ['recipients', 'recipientId', 'receiverIds', 'to'] as const;

const moreRecipients = 'More recipients: all of these fields are combined.';

const fields = {
  recipients: users.meta({
    description: `Ids of up to ${maxRecipients} users. Without any, a reply goes to the sender of the message in \`replyTo\`, or to everyone else of \`conversationId\`.`,
  }),
  recipientId: users.meta({ description: moreRecipients }),
  receiverIds: users.meta({ description: moreRecipients }),
  to: users.meta({ description: moreRecipients }),
  subject: optional(oneLine(200)).meta({
    description: 'The subject. A reply without one has that of the message it replies to.',
  }),
  content: prose().meta({
    description: 'The text, up to 64 KB (UTF-8). For the types `image` and `file`, usually a URL.',
  }),
  type: optional(z.enum(types, `must be one of ${types.join(', ')}`)),
  replyTo: optional(idField('a message')).meta({
    description: 'The id of one of your messages. The new message continues its conversation.',
  }),
  conversationId: optional(idField('a conversation')).meta({
    description: 'The id of one of your conversations to continue.',
  }),
  attachments: optional(
    z
      .array(idField('a file'))
      .max(maxAttachments, `must contain at most ${maxAttachments} ids`)
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain a file twice'),
  ).meta({
    description: `Ids of up to ${maxAttachments} of your files. All who have the message can download them.`,
  }),
};

type Fields = z.output<z.ZodObject<typeof fields>>;

const parseIds = (value: number | number[]): number[] => [value].flat();

/** Returns the recipients by field. */
const getRecipients = (input: Fields): RecipientFields =>
  Object.fromEntries(
    recipientFields.flatMap((field) => {
      const value = input[field];
      return value == null ? [] : [[field, parseIds(value)]];
    }),
  );

const assertRecipients = (input: Fields, check: z.core.$RefinementCtx): void => {
  const recipients = getRecipients(input);
  const [field = 'recipients'] = Object.keys(recipients);
  const addIssue = (message: string) => check.addIssue({ code: 'custom', path: [field], message });
  const count = new Set(Object.values(recipients).flat()).size;
  if (count > maxRecipients) addIssue(`must not exceed ${maxRecipients} recipients`);
  if (count > 0) return;
  if (Object.keys(recipients).length > 0) addIssue('must contain at least one user');
  else if (input.replyTo == null && input.conversationId == null) addIssue('is required');
};

/** Reports whether browsers would run a URL as a script. They ignore spaces and control characters in it. */
const isScriptUrl = (url: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  /^(javascript:|vbscript:|data:(?!image\/))/i.test(url.replace(/[\u0000-\u0020]/g, ''));

const assertSafeUrl = ({ type, content }: Fields, check: z.core.$RefinementCtx): void => {
  if (type == null || type === 'text' || !isScriptUrl(content)) return;
  check.addIssue({ code: 'custom', path: ['content'], message: 'must not be a script URL' });
};

/** The body of `POST /api/messages`; optional fields accept null. */
export const MessageInput = z
  .object(fields)
  .superRefine(assertRecipients)
  .superRefine(assertSafeUrl)
  .meta({
    id: 'CreateMessageInput',
    examples: [{ recipients: [244_212_480_004_096], subject: 'Lunch', content: 'At noon?' }],
  });

/** The body of `PUT /api/messages/{id}/read`; without one, the message is marked as read. */
export const ReadInput = z
  .object({
    read: optional(z.boolean('must be true or false')).meta({
      description: '`false` marks it as unread; the default is `true`.',
    }),
  })
  .meta({ id: 'MarkMessageInput', examples: [{ read: true }] });

const maxBytes = 64 * 1024;

const contentTooLargeError = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'Invalid content: must be at most 64 KB (UTF-8).', {
    details: [{ field: 'content', message: 'must be at most 64 KB (UTF-8)' }],
  });

/**
 * Converts the input to a draft.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const toDraft = (input: z.output<typeof MessageInput>): Draft => {
  if (Buffer.byteLength(input.content) > maxBytes) throw contentTooLargeError();
  return {
    recipients: getRecipients(input),
    subject: input.subject ?? undefined,
    content: input.content,
    type: input.type ?? 'text',
    replyTo: input.replyTo ?? undefined,
    conversationId: input.conversationId ?? undefined,
    attachments: input.attachments ?? [],
  };
};
