import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { oneLine, optional, prose } from '../../../shared/input/fields.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { types } from './message.ts';
import { maxRecipients, type RecipientFields } from './recipients.ts';
import type { Draft } from './send.ts';

const whoMessage = 'must be the id of a user, or a list of such ids';

const UserId = idField('a user');

/** Far more than may be sent to: the same users may be named several times. */
const maxIds = 500;

const users = optional(
  z.union([UserId, z.array(UserId).max(maxIds, `must have at most ${maxIds} ids`)], whoMessage),
);

/** The fields that name recipients. */
const recipientFields = ['recipients', 'recipientId', 'receiverIds', 'to'] as const;

const same = 'More recipients: all of these fields are combined.';

const fields = {
  recipients: users.meta({
    description: `Ids of up to ${maxRecipients} users. Without any, a reply goes to the sender of the message in \`replyTo\`, or to the other users of the last message of \`conversationId\`.`,
  }),
  recipientId: users.meta({ description: same }),
  receiverIds: users.meta({ description: same }),
  to: users.meta({ description: same }),
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
};

type Fields = z.output<z.ZodObject<typeof fields>>;

const parseIds = (value: number | number[]): number[] => [value].flat();

/** The recipients that are named, by field. */
const namedIn = (input: Fields): RecipientFields =>
  Object.fromEntries(
    recipientFields.flatMap((field) => {
      const value = input[field];
      return value == null ? [] : [[field, parseIds(value)]];
    }),
  );

const assertRecipients = (input: Fields, check: z.core.$RefinementCtx): void => {
  const named = namedIn(input);
  const [field = 'recipients'] = Object.keys(named);
  const refuse = (message: string) => check.addIssue({ code: 'custom', path: [field], message });
  const count = new Set(Object.values(named).flat()).size;
  if (count > maxRecipients) refuse(`must not make more than ${maxRecipients} recipients in all`);
  if (count > 0) return;
  if (Object.keys(named).length > 0) refuse('must contain at least one user');
  else if (input.replyTo == null && input.conversationId == null) refuse('is required');
};

/** What a page could run in place of opening it, however it is spelled: browsers skip spaces and controls. */
const runs = (address: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
  /^(javascript:|vbscript:|data:(?!image\/))/i.test(address.replace(/[\u0000-\u0020]/g, ''));

const assertAddress = ({ type, content }: Fields, check: z.core.$RefinementCtx): void => {
  if (type == null || type === 'text' || !runs(content)) return;
  const message = `must not be an address that runs a script where the type is ${type}`;
  check.addIssue({ code: 'custom', path: ['content'], message });
};

/** The body of `POST /api/messages`; optional fields take null. */
export const MessageInput = z
  .object(fields)
  .superRefine(assertRecipients)
  .superRefine(assertAddress)
  .meta({
    id: 'CreateMessageInput',
    examples: [{ recipients: [244_212_480_004_096], subject: 'Lunch', content: 'At noon?' }],
  });

/** The body of marking a message; without one it is read. */
export const ReadInput = z
  .object({
    read: optional(z.boolean('must be true or false')).meta({
      description: '`false` marks it as unread; the default is `true`.',
    }),
  })
  .meta({ id: 'MarkMessageInput', examples: [{ read: true }] });

const maxBytes = 64 * 1024;

const tooLarge = () =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    'The content is too large: it must have at most 64 KB of UTF-8',
    {
      details: [{ field: 'content', message: 'must have at most 64 KB of UTF-8' }],
    },
  );

/**
 * The input as the domain takes it.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const toDraft = (input: z.output<typeof MessageInput>): Draft => {
  if (Buffer.byteLength(input.content) > maxBytes) throw tooLarge();
  return {
    recipients: namedIn(input),
    subject: input.subject ?? undefined,
    content: input.content,
    type: input.type ?? 'text',
    replyTo: input.replyTo ?? undefined,
    conversationId: input.conversationId ?? undefined,
  };
};
