import { toSortKeyTime } from '../../../functions/api/calendar/record/index-entries.ts';
import { createFileKey, createUploadKey } from '../../../functions/api/files/uploads/objects.ts';
import { formBytesKey } from '../../../functions/api/files/uploads/upload-allowance.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { toSortName } from '../../../shared/lists/tokenize.ts';
import { removeTexts } from '../../../shared/storage/stored-text.ts';

/** Returns the keys of the objects that hold a record's texts. */
const textObjects = (owner: Key, id: string, names: readonly string[]) =>
  removeTexts(owner, { id, place: 'bucket', names })
    .map((write) => write.Put?.Item?.['key'])
    .join(' ');

/** Everything that makes a key, or a part of one, by its name. */
export const makers = {
  ...keys,
  formBytesKey,
  inKey: toSortKeyTime,
  createFileKey,
  createUploadKey,
  sortNameOf: toSortName,
  textObjects,
};

const at = '2026-11-21T09:30:00.000Z';
const own = 'OF#7' as const;

/** Arguments for each maker of keys: several where it goes more than one way. */
export const samples: {
  [Name in keyof typeof makers]: readonly Parameters<(typeof makers)[Name]>[];
} = {
  dailyActivity: [['2026-11-21', 3]],
  allSales: [['EUR', 3]],
  allShares: [[at, 'abc']],
  apiToken: [[7, 'hash']],
  audit: [[at, 'abc']],
  auditOfActor: [[7, at, 'abc']],
  auditOfSubject: [['user 8', at, 'abc']],
  calendarFeed: [[7]],
  checkin: [[7]],
  conversation: [[7, 42]],
  conversationByLatest: [[7, 42]],
  activityLedger: [['2026-11-21T12:3', 12]],
  delivery: [[7, 42]],
  document: [[42]],
  documentByAuthor: [['EVERYONE', 7, 42]],
  documentByFolder: [[own, 'Plans/2026', 42]],
  documentById: [
    ['ALL', 42],
    ['EVERYONE', 42],
    [own, 42],
    ['SHARED#8', 42],
  ],
  documentByTag: [['ALL', 'red', 42]],
  documentByTitle: [['SHARED#8', 'a title', 42]],
  documentByType: [[own, 'note', 42]],
  documentByWord: [
    [own, '😀word', 42],
    [own, '', 42],
  ],
  documentCounts: [[7, 3]],
  documentPurges: [[at, 42]],
  documentContent: [[42]],
  scheduledDeletion: [[at, 'files/abc']],
  email: [['Ann@Example.com']],
  emailUndo: [[7, 'hash']],
  event: [[42]],
  singleEvent: [
    [7, 'DAY', at, 42],
    [7, 'MONTH', at, 42],
    [7, 'YEAR', at, 42],
  ],
  eventReminder: [[42]],
  eventReminders: [[at, 42]],
  recurringEvent: [
    [7, at, 42],
    [7, 'forever', 42],
  ],
  publicFile: [[7, 42]],
  favoriteFile: [[7, 42]],
  file: [[42]],
  fileById: [
    ['ALL', 42],
    ['EVERYONE', 42],
    [own, 42],
    ['SHARED#8', 42],
  ],
  fileByName: [[own, 'a name', 42]],
  fileByType: [[own, 'image', 42]],
  fileByWord: [[own, '😀word', 42]],
  fileCounts: [[7, 3]],
  fileFolders: [[7]],
  fileInFolder: [
    [7, 9, 42],
    [7, undefined, 42],
  ],
  fileInFolderByName: [
    [7, 9, 'folder', 'a name', 42],
    [7, undefined, 'file', 'a name', 42],
  ],
  fileUpload: [[7, 42]],
  fileUploadEnds: [[at, 42]],
  fileUsage: [[7]],
  folderChildren: [[9]],
  formBytesKey: [[7]],
  health: [[]],
  inKey: [[Date.parse(at)]],
  jobExecution: [['message-id']],
  mailbox: [[7]],
  message: [[42]],
  messageCopies: [[42]],
  messageInBox: [
    [7, 'inbox', 42],
    [7, 'sent', 42],
  ],
  messageInConversation: [[7, 41, 42]],
  messageContent: [[42]],
  createFileKey: [[]],
  createUploadKey: [[]],
  newUsers: [['2026-11', 3]],
  notification: [[7, 42]],
  notificationCounters: [[7]],
  notifications: [[7]],
  notificationReceipt: [[7, 'abc']],
  openTask: [[7, at, 42]],
  shareByOwner: [[7, at, 'abc']],
  ownShareCount: [[7]],
  ownShares: [[7]],
  rateLimit: [['login', '203.0.113.7']],
  readMessage: [[7, 42]],
  idempotencyMarker: [[7, 'hash']],
  idempotency: [[7]],
  reportedShares: [[at, 'abc']],
  sale: [[42]],
  saleByExternalId: [['ext-1']],
  saleCategories: [['EUR']],
  saleInList: [[at, 42]],
  categoryTotals: [['EUR', 'books', 3]],
  saleByCategory: [['books', at, 42]],
  monthlyTotals: [['EUR', '2026-11', 3]],
  saleByCustomer: [['Ann', at, 42]],
  session: [[7, 'abc']],
  share: [['abc']],
  shareEnd: [['abc']],
  shareEnds: [[at, 'abc']],
  shareReport: [['abc', at, 'def']],
  shareContent: [['abc']],
  shareTombstones: [[at, 'abc']],
  shareAccess: [['abc']],
  sortNameOf: [['Ann  ﬁne Ünal']],
  superAdmins: [[]],
  textObjects: [[keys.document(42), 'abc', ['source', 'html']]],
  total: [['users', 3]],
  trashedDocument: [[7, at, 42]],
  unreadMessage: [[7, 42]],
  outboxJob: [[at, 'abc']],
  user: [[7], [Number.MAX_SAFE_INTEGER]],
  userByName: [['ann', 7]],
  userByPermission: [['shares:manage', 7]],
  userByRoleAndStatus: [['admin', 'active', 7]],
  userByWord: [['😀word', 7]],
  userInList: [[7]],
  userTransfer: [[7]],
  username: [['Ann']],
  dailyVisitor: [['2026-11-21', 'abc']],
};
