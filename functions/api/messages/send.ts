import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { createId } from '../../../shared/db/ids.ts';
import { type Step, TransactionConflict, transact } from '../../../shared/db/transaction.ts';
import { countForEach } from '../../../shared/http/pair-limit.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { enqueueBestEffort } from '../../../shared/jobs/queue.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { readAttachments } from './attachments.ts';
import { createMessage, storeContent } from './content.ts';
import { addCopy, withCounts } from './copy-writes.ts';
import { deliverySteps, queueDelivery, readInboxes } from './delivery.ts';
import { recipientLimit } from './limits.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import {
  type MailboxCopy,
  type MessageDetail,
  retryOnConflict,
  type StoredMessage,
} from './message.ts';
import { addPeople } from './people.ts';
import {
  getSender,
  type RecipientFields,
  readActiveRecipients,
  readRecipients,
} from './recipients.ts';
import { deliverMessage } from './record/jobs.ts';
import { toWords } from './words.ts';

/** A message to send. */
export interface Draft {
  /** Can be empty in a reply, which then goes to the users of the original message. */
  readonly recipients: RecipientFields;
  /** Absent in a reply: that of the original message. */
  readonly subject: string | undefined;
  readonly content: string;
  readonly type: StoredMessage['type'];
  readonly replyTo: number | undefined;
  readonly conversationId: number | undefined;
  /** Ids of the sender's files. */
  readonly attachments: readonly number[];
}

/** The original message of a reply, the default recipients, and the mailbox that contains the message. */
interface ReplyTarget {
  readonly mailbox: Mailbox;
  readonly message: StoredMessage;
  readonly recipients: RecipientFields;
}

const findOriginal = async (mailbox: Mailbox, id: number, conversationId?: number) => {
  const found = await mailbox.find(id);
  if (!found) throw invalidField('replyTo', 'must be the id of one of your messages');
  if (conversationId !== undefined && found.message.conversationId !== conversationId) {
    throw invalidField('conversationId', 'must be the conversation of the message in replyTo');
  }
  return found.message;
};

const findLatest = async (mailbox: Mailbox, conversationId: number) => {
  const [conversation] = await mailbox.readConversations([conversationId]);
  const found = conversation && (await mailbox.find(conversation.latest.id));
  if (!found) throw invalidField('conversationId', 'must be the id of one of your conversations');
  return { message: found.message, people: conversation.people };
};

/** Finds the original message of a reply among the sender's messages. */
const readReplyTarget = async (
  userId: number,
  { replyTo, conversationId }: Draft,
): Promise<ReplyTarget | undefined> => {
  if (replyTo === undefined && conversationId === undefined) return undefined;
  const mailbox = await openMailbox(userId);
  if (replyTo !== undefined) {
    const message = await findOriginal(mailbox, replyTo, conversationId);
    const others = message.recipients.map(({ id }) => id);
    const isOwn = message.senderId === userId;
    return { mailbox, message, recipients: { replyTo: isOwn ? others : [message.senderId] } };
  }
  const { message, people } = await findLatest(mailbox, conversationId as number);
  const all = addPeople(userId, people, message);
  return { mailbox, message, recipients: { conversationId: all.length > 0 ? all : [userId] } };
};

/** Delays the stored job, which is only a backup of the one sent immediately. */
const backupDelaySeconds = 60;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxSteps = 100;

/** More don't fit into a transaction: each takes five items, and the sender’s part a dozen. */
const maxDirect = 17;

type SendStep = Step<'changed' | 'newerNotification'>;

const countWrites = (steps: readonly SendStep[]): number =>
  steps.filter(({ write }) => write !== undefined).length;

/** Returns the steps that leave a message with its recipients, and a job that delivers it. */
const queueSteps = (message: StoredMessage, userIds: readonly number[]): readonly SendStep[] =>
  userIds.length === 0
    ? []
    : [
        ...userIds.map((userId) => ({ write: queueDelivery(userId, message) })),
        {
          write: enqueueWrite(
            deliverMessage,
            { id: message.id, userIds: [...userIds] },
            { delaySeconds: backupDelaySeconds },
          ),
        },
      ];

/**
 * Sends all or nothing. A conflict is as good as a change, for the recipients’ items are busy.
 * @throws what `transact` throws, also for a conflict after which the message may still be sent
 */
const trySending = async (steps: readonly SendStep[], isDirect: boolean): Promise<boolean> => {
  try {
    return (await transact(steps, isDirect ? { maxAttempts: 2 } : {})) === undefined;
  } catch (error) {
    if (isDirect && error instanceof TransactionConflict && error.isFinal) return false;
    throw error;
  }
};

/**
 * Sends a message to all recipients or none. If a recipient is deleted concurrently, the job that reconciles that user
 * deletes the copy.
 * @throws AppError VALIDATION_ERROR for recipients, attachments, `replyTo` or `conversationId`; RATE_LIMITED
 */
export const send = async (
  { user }: Actor,
  draft: Draft,
  recorder: ChangeRecorder,
): Promise<MessageDetail> => {
  const { content, type, replyTo } = draft;
  const replyTarget = await readReplyTarget(user.id, draft);
  const hasRecipients = Object.keys(draft.recipients).length > 0;
  const recipients =
    hasRecipients || !replyTarget
      ? await readRecipients(draft.recipients)
      : await readActiveRecipients(replyTarget.recipients);
  const otherUsers = recipients.filter(({ id }) => id !== user.id);
  const others = otherUsers.map(({ id }) => id);
  const attachments = await readAttachments(user.id, draft.attachments);
  const known = replyTarget?.message.conversationId;
  const [inboxes] = await Promise.all([
    others.length > maxDirect ? [] : readInboxes(otherUsers, known),
    countForEach(recipientLimit, user.id, others),
  ]);
  const subject = draft.subject ?? replyTarget?.message.subject;
  let canBeDirect = inboxes.length === others.length;
  const sent = await retryOnConflict(async () => {
    const id = createId();
    const conversationId = known ?? id;
    const [conversations, stored] = await Promise.all([
      replyTarget?.mailbox.readConversations([conversationId]),
      storeContent(id, content),
    ]);
    const message: StoredMessage = {
      id,
      conversationId,
      senderId: user.id,
      senderName: user.name,
      recipients: recipients.map((recipient) => ({ id: recipient.id, name: recipient.name })),
      ...(subject !== undefined && { subject }),
      type,
      excerpt: stored.excerpt,
      ...(stored.ref && { texts: stored.ref, words: toWords({ attachments }, content) }),
      ...(replyTo !== undefined && { replyTo }),
      ...(attachments.length > 0 && { attachments }),
      createdAt: new Date().toISOString(),
    };
    const isToSelf = others.length < recipients.length;
    const copy: MailboxCopy = {
      id,
      conversationId,
      senderId: user.id,
      boxes: isToSelf ? ['inbox', 'sent'] : ['sent'],
    };
    const own: readonly SendStep[] = [
      ...createMessage(message, others.length + 1),
      { write: stored.write, refused: 'changed' },
      ...withCounts(user.id, addCopy(user.id, message, copy, conversations?.[0])),
      ...recorder.steps({
        subject: `message:${id}`,
        after: {
          conversationId,
          recipients: recipients.map((recipient) => recipient.id),
          type,
          ...(attachments.length > 0 && { attachments: draft.attachments }),
        },
      }),
    ];
    const direct = inboxes.flatMap((inbox) => deliverySteps(inbox, message));
    const isDirect = canBeDirect && countWrites([...own, ...direct]) <= maxSteps;
    // Whatever has changed may change again, so the next attempt doesn't depend on the recipients' items.
    canBeDirect = false;
    const isSent = await trySending(
      [...own, ...(isDirect ? direct : queueSteps(message, others))],
      isDirect,
    );
    // The id is taken, or the sender's conversation or a recipient's items have changed.
    return isSent ? { message, copy, isDirect } : undefined;
  });
  if (!sent.isDirect && others.length > 0) {
    await enqueueBestEffort(deliverMessage, { id: sent.message.id, userIds: others });
  }
  const message = {
    ...sent.message,
    recipients: recipients.map(({ id, name, avatar = null }) => ({ id, name, avatar })),
  };
  const sender = getSender(new Map([[user.id, user]]), message);
  return { message, copy: sent.copy, sender, content };
};
