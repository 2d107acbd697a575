import { startAt } from '../../../shared/db/query.ts';
import type { ArchiveNotes, ArchiveSection } from '../../../shared/exports/archive-entry.ts';
import { toJsonLines } from '../../../shared/exports/archive-lines.ts';
import { readPages } from '../../../shared/exports/archive-pages.ts';
import { readContent } from './content.ts';
import { listPendingDeliveries, readRecords } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { readMessages } from './list.ts';
import { type MailboxCopy, toCopy } from './message.ts';
import { Message, toDetail } from './schemas.ts';

/** How many messages are read at once. */
const pageSize = 25;

async function* writeMessages(
  copies: readonly MailboxCopy[],
  notes: ArchiveNotes,
): AsyncGenerator<object> {
  for (const found of await readMessages(copies)) {
    if (!found) continue;
    const content = await readContent(found.message);
    if (content === undefined) {
      notes.leftOut(`messages.ndjson, ${found.message.id}: it was deleted meanwhile.`);
      continue;
    }
    const { isExcerpt, recipients, created_at, ...shown } = Message.parse(
      toDetail({ ...found, content }),
    );
    yield { ...shown, boxes: found.copy.boxes };
  }
}

/** Reads all messages of a user: first those that wait to be delivered, as they are unread, then conversation by conversation. */
async function* readAll(userId: number, notes: ArchiveNotes): AsyncGenerator<object> {
  const delivered = new Set<number>();
  for await (const items of readPages(listPendingDeliveries(userId), pageSize)) {
    const messages = await readRecords(items.map(({ id }) => id as number));
    const copies = messages.map(
      ({ id, conversationId, senderId }): MailboxCopy => ({
        ...{ id, conversationId, senderId },
        boxes: ['inbox'],
      }),
    );
    for (const { id } of copies) delivered.add(id);
    yield* writeMessages(copies, notes);
  }
  const all = startAt(messageKeys.conversation.prefix({ userId }));
  for await (const items of readPages(all, pageSize)) {
    const copies = items.map(toCopy).filter(({ id }) => !delivered.has(id));
    yield* writeMessages(copies, notes);
  }
}

/** A user's messages, received and sent. Files of messages are their senders'. */
export const section: ArchiveSection = {
  name: 'messages',
  async *entries({ user }, notes) {
    yield { path: 'messages.ndjson', content: toJsonLines(readAll(user.id, notes)) };
  },
};
