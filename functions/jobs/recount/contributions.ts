import type { StoredUser } from '../../../shared/auth/user.ts';
import { incrementTotal } from '../../../shared/counters/total.ts';
import type { Key } from '../../../shared/db/key.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { isOpenTask, type StoredEvent } from '../../api/calendar/record/event.ts';
import { countWrites as countDocument } from '../../api/documents/counts.ts';
import type { StoredDocument } from '../../api/documents/document.ts';
import { countWrites as countFile } from '../../api/files/record/counts.ts';
import type { StoredFile } from '../../api/files/record/file.ts';
import { childrenWrites } from '../../api/files/record/folders.ts';
import { usageWrites } from '../../api/files/record/usage.ts';
import { messageKeys } from '../../api/messages/keys.ts';
import type { MailboxCopy } from '../../api/messages/message.ts';
import { toSale } from '../../api/sales/sale.ts';
import { salesTotalWrites } from '../../api/sales/statistics.ts';
import { incrementOwnCount } from '../../api/share/record/own-list.ts';
import type { StoredShare } from '../../api/share/record/share.ts';
import { totalWrites } from '../../api/users/record/user-totals.ts';
import { superAdminsWrite } from '../../api/users/record/users.ts';

/** An item of the table. */
export type Item = Readonly<Record<string, unknown>> & Key;

/** What a record adds to the counter stored at `key`. */
export interface Contribution {
  readonly key: Key;
  readonly amounts: Readonly<Record<string, bigint>>;
}

/** Lists what writes of the form `ADD name :value, …` add. */
const listAdditions = (writes: readonly (Write | undefined)[]): Contribution[] =>
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
    return [{ key: update.Key as Key, amounts: Object.fromEntries(amounts) }];
  });

const listMailboxContributions = ({ pk }: Item, name: string): Contribution[] => [
  { key: { ...messageKeys.mailbox.at({ userId: 0 }), pk }, amounts: { [name]: 1n } },
];

const listInboxContributions = (item: Item): Contribution[] => {
  const isInBoth = (item as unknown as MailboxCopy).boxes.length > 1;
  return [
    ...listMailboxContributions(item, 'inbox'),
    ...(isInBoth ? listMailboxContributions(item, 'both') : []),
  ];
};

interface RecordType {
  /** Matches the partition key, a space and the sort key. */
  readonly pattern: RegExp;
  readonly contributions: (item: Item) => Contribution[];
}

const recordType = <Record>(
  pattern: RegExp,
  writes: (record: Record) => readonly (Write | undefined)[],
): RecordType => ({
  pattern,
  contributions: (item) => listAdditions(writes(item as unknown as Record)),
});

/** The counted records. Each uses the writes that count it when it is created. */
const recordTypes: readonly RecordType[] = [
  recordType<StoredUser>(/^USER#\d+ USER$/, (user) => [
    ...Object.values(totalWrites(undefined, user)),
    superAdminsWrite(undefined, user),
  ]),
  recordType<StoredShare>(/^SHARE#\S+ SHARE$/, ({ ownerId }) => [
    incrementTotal('shares', 1),
    incrementOwnCount(ownerId, 1),
  ]),
  recordType<StoredDocument>(/^DOCUMENT#\d+ DOCUMENT$/, (document) =>
    Object.values(countDocument(undefined, document)),
  ),
  recordType<StoredFile>(/^FILE#\d+ FILE$/, (file) => [
    ...Object.values(countFile(undefined, file)),
    ...Object.values(usageWrites(undefined, file)),
    ...Object.values(childrenWrites(undefined, file)),
  ]),
  recordType(/^MESSAGE#\d+ MESSAGE$/, () => [incrementTotal('messages', 1)]),
  recordType<StoredEvent>(/^EVENT#\d+ EVENT$/, (event) => [
    isOpenTask(event) ? incrementTotal('pending-tasks', 1) : undefined,
  ]),
  recordType<Item>(/^SALE#\d+ SALE$/, (item) => [
    incrementTotal('sales', 1),
    ...Object.values(salesTotalWrites(undefined, toSale(item), { shard: 0, isNew: false })),
  ]),
  { pattern: /^USER#\d+ INBOX#/, contributions: listInboxContributions },
  { pattern: /^USER#\d+ SENT#/, contributions: (item) => listMailboxContributions(item, 'sent') },
  {
    pattern: /^USER#\d+ UNREAD#/,
    contributions: (item) => listMailboxContributions(item, 'unread'),
  },
  {
    pattern: /^USER#\d+ CONVERSATION#/,
    contributions: (item) => listMailboxContributions(item, 'conversations'),
  },
];

/** Lists what an item of the table adds to counters. */
export const listContributions = (item: Item): Contribution[] =>
  recordTypes.find(({ pattern }) => pattern.test(`${item.pk} ${item.sk}`))?.contributions(item) ??
  [];
