import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { countForEach } from '../../../shared/http/pair-limit.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { enqueueBestEffort } from '../../../shared/jobs/queue.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { putMessage, storeContent } from './content.ts';
import { deliverPending, queueDelivery } from './delivery.ts';
import { deliverMessage } from './jobs.ts';
import { messagesToOne } from './limits.ts';
import { addCopy } from './mailbox.ts';
import {
  auditSubject,
  type Conversation,
  type MailboxCopy,
  type StoredMessage,
  untilDone,
  type WholeMessage,
} from './message.ts';
import { find } from './messages.ts';
import { type RecipientFields, readRecipients, readThoseLeft } from './recipients.ts';

/** What somebody wants to send. */
export interface Draft {
  /** Empty in a reply: to whoever it answers. */
  readonly recipients: RecipientFields;
  /** Without one a reply has that of what it answers. */
  readonly subject: string | undefined;
  readonly content: string;
  readonly type: StoredMessage['type'];
  readonly replyTo: number | undefined;
  readonly conversationId: number | undefined;
}

/** What a reply answers, and to whom it goes where nobody is named. */
interface Answered {
  readonly message: StoredMessage;
  readonly recipients: RecipientFields;
}

const findAnswered = async (userId: number, id: number, conversationId?: number) => {
  const found = await find(userId, id);
  if (!found) throw invalidField('replyTo', 'must be the id of a message that you have');
  if (conversationId !== undefined && found.message.conversationId !== conversationId) {
    throw invalidField('conversationId', 'must be that of the message in replyTo');
  }
  return found.message;
};

const findLatest = async (userId: number, conversationId: number): Promise<StoredMessage> => {
  const [conversation] = await batchGet([keys.conversation(userId, conversationId)]);
  const found = conversation && (await find(userId, conversation['latestId'] as number));
  if (!found)
    throw invalidField('conversationId', 'must be the id of a conversation that you are in');
  return found.message;
};

/** The message that a draft answers, of those that its sender has. */
const readAnswered = async (
  userId: number,
  { replyTo, conversationId }: Draft,
): Promise<Answered | undefined> => {
  if (replyTo === undefined && conversationId === undefined) return undefined;
  await deliverPending(userId);
  const message =
    replyTo === undefined
      ? await findLatest(userId, conversationId as number)
      : await findAnswered(userId, replyTo, conversationId);
  const others = message.recipients.map(({ id }) => id);
  if (replyTo !== undefined) {
    const isOwn = message.senderId === userId;
    return { message, recipients: { replyTo: isOwn ? others : [message.senderId] } };
  }
  const all = [message.senderId, ...others].filter((id) => id !== userId);
  return { message, recipients: { conversationId: all.length > 0 ? all : [userId] } };
};

/** The job would only come after this, had the one that is sent at once been lost. */
const deliverAfterSeconds = 60;

/**
 * Sends a message: all of its recipients have it, or nobody. A recipient who is removed meanwhile has it no more when the
 * job has settled what that user leaves behind.
 * @throws AppError VALIDATION_ERROR about recipients, `replyTo` or `conversationId`; RATE_LIMITED
 */
export const send = async (
  { user }: Actor,
  draft: Draft,
  audit: AuditRecorder,
): Promise<WholeMessage> => {
  const { content, type, replyTo } = draft;
  const answered = await readAnswered(user.id, draft);
  const isNamed = Object.keys(draft.recipients).length > 0;
  const recipients =
    isNamed || !answered
      ? await readRecipients(draft.recipients)
      : await readThoseLeft(answered.recipients);
  const others = recipients.map(({ id }) => id).filter((id) => id !== user.id);
  await countForEach(messagesToOne, user.id, others);
  const subject = draft.subject ?? answered?.message.subject;
  const sent = await untilDone(async () => {
    const id = createId();
    const conversationId = answered?.message.conversationId ?? id;
    const [[conversation], stored] = await Promise.all([
      answered ? batchGet([keys.conversation(user.id, conversationId)]) : [undefined],
      storeContent(id, content),
    ]);
    const message: StoredMessage = {
      id,
      conversationId,
      senderId: user.id,
      recipients: recipients.map((one) => ({ id: one.id, name: one.name })),
      ...(subject !== undefined && { subject }),
      type,
      excerpt: stored.excerpt,
      ...(stored.ref && { texts: stored.ref }),
      ...(replyTo !== undefined && { replyTo }),
      createdAt: new Date().toISOString(),
    };
    const isToSelf = others.length < recipients.length;
    const copy: MailboxCopy = {
      id,
      conversationId,
      senderId: user.id,
      boxes: isToSelf ? ['inbox', 'sent'] : ['sent'],
    };
    const failed = await transact<string>({
      ...putMessage(message, others.length + 1),
      ...stored.writes,
      ...addCopy(user.id, copy, conversation as Conversation | undefined),
      ...Object.fromEntries(
        others.map((userId) => [`delivery${userId}`, queueDelivery(userId, message)]),
      ),
      ...(others.length > 0 && {
        job: enqueueWrite(
          deliverMessage,
          { id, userIds: others },
          { delaySeconds: deliverAfterSeconds },
        ),
      }),
      ...audit.writes({
        subject: auditSubject(id),
        after: { conversationId, recipients: recipients.map((one) => one.id), type },
      }),
    });
    // Another message has this id, or the sender's conversation is another by now.
    return failed ? undefined : { message, copy };
  });
  if (others.length > 0) {
    await enqueueBestEffort(deliverMessage, { id: sent.message.id, userIds: others });
  }
  const message = { ...sent.message, recipients };
  return { ...sent, message, sender: toAuthor({ ...user }), content };
};
