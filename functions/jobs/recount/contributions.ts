import type { StoredUser } from '../../../shared/auth/user.ts';
import { incrementTotal } from '../../../shared/counters/total.ts';
import type { Key } from '../../../shared/db/table.ts';
import { keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { isOpenTask, type StoredEvent } from '../../api/calendar/record/event.ts';
import { countWrites as countDocument } from '../../api/documents/counts.ts';
import type { StoredDocument } from '../../api/documents/document.ts';
import { countWrites as countFile } from '../../api/files/record/counts.ts';
import type { StoredFile } from '../../api/files/record/file.ts';
import { childrenWrites } from '../../api/files/record/folders.ts';
import { usageWrites } from '../../api/files/record/usage.ts';
import type { MailboxCopy } from '../../api/messages/message.ts';
import { toSale } from '../../api/sales/sale.ts';
import { salesTotalWrites } from '../../api/sales/statistics.ts';
import { incrementOwnCount } from '../../api/share/record/own-list.ts';
import type { StoredShare } from '../../api/share/record/share.ts';
import { totalWrites } from '../../api/users/record/user-totals.ts';
import { moveSuperAdmins } from '../../api/users/record/users.ts';

/** An item of the table. */
export type Item = Readonly<Record<string, unknown>> & Key;

/** What is added to a counter for a record; `place` is one of the counter's. */
export interface Addend {
  readonly place: Key;
  readonly amounts: Readonly<Record<string, bigint>>;
}

/** What writes of the form `ADD name :value, …` add. */
const addedBy = (writes: readonly (Write | undefined)[]): Addend[] =>
  writes.flatMap((write) => {
    const update = write?.Update;
    const [, list] = update?.UpdateExpression?.match(/^ADD (.+)$/) ?? [];
    if (!update || list === undefined) return [];
    const amounts = list.split(', ').map((one) => {
      const [name = '', value = ''] = one.split(' ');
      return [
        update.ExpressionAttributeNames?.[name] ?? name,
        BigInt(update.ExpressionAttributeValues?.[value]),
      ];
    });
    return [{ place: update.Key as Key, amounts: Object.fromEntries(amounts) }];
  });

const ofMailbox = ({ pk }: Item, name: string): Addend[] => [
  { place: { ...keys.mailbox(0), pk }, amounts: { [name]: 1n } },
];

const inInbox = (item: Item): Addend[] => {
  const isInBoth = (item as unknown as MailboxCopy).boxes.length > 1;
  return [...ofMailbox(item, 'inbox'), ...(isInBoth ? ofMailbox(item, 'both') : [])];
};

interface Kind {
  /** How the two keys of its items look, with a space between them. */
  readonly pattern: RegExp;
  readonly addends: (item: Item) => Addend[];
}

const getKind = <Record>(
  pattern: RegExp,
  writes: (record: Record) => readonly (Write | undefined)[],
): Kind => ({ pattern, addends: (item) => addedBy(writes(item as unknown as Record)) });

/** What is counted, each by the very writes that count it when it is made as it is now. */
const kinds: readonly Kind[] = [
  getKind<StoredUser>(/^USER#\d+ USER$/, (user) => [
    ...Object.values(totalWrites(undefined, user)),
    moveSuperAdmins(undefined, user),
  ]),
  getKind<StoredShare>(/^SHARE#\S+ SHARE$/, ({ ownerId }) => [
    incrementTotal('shares', 1),
    incrementOwnCount(ownerId, 1),
  ]),
  getKind<StoredDocument>(/^DOCUMENT#\d+ DOCUMENT$/, (document) =>
    Object.values(countDocument(undefined, document)),
  ),
  getKind<StoredFile>(/^FILE#\d+ FILE$/, (file) => [
    ...Object.values(countFile(undefined, file)),
    ...Object.values(usageWrites(undefined, file)),
    ...Object.values(childrenWrites(undefined, file)),
  ]),
  getKind(/^MESSAGE#\d+ MESSAGE$/, () => [incrementTotal('messages', 1)]),
  getKind<StoredEvent>(/^EVENT#\d+ EVENT$/, (event) => [
    isOpenTask(event) ? incrementTotal('pending-tasks', 1) : undefined,
  ]),
  getKind<Item>(/^SALE#\d+ SALE$/, (item) => [
    incrementTotal('sales', 1),
    ...Object.values(salesTotalWrites(undefined, toSale(item), { shard: 0, isNew: false })),
  ]),
  { pattern: /^USER#\d+ INBOX#/, addends: inInbox },
  { pattern: /^USER#\d+ SENT#/, addends: (item) => ofMailbox(item, 'sent') },
  { pattern: /^USER#\d+ UNREAD#/, addends: (item) => ofMailbox(item, 'unread') },
  { pattern: /^USER#\d+ CONVERSATION#/, addends: (item) => ofMailbox(item, 'conversations') },
];

/** What is added to counters because an item of the table is there. */
export const listContributions = (item: Item): Addend[] =>
  kinds.find(({ pattern }) => pattern.test(`${item.pk} ${item.sk}`))?.addends(item) ?? [];
