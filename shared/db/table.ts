/** Key attributes of the table. The stack and the local engine create it from these. */
export const schema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
} as const;

/** Primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const user = (id: number) => `USER#${id}`;
const share = (id: string) => `SHARE#${id}`;
const document = (id: number) => `DOCUMENT#${id}`;
const file = (id: number) => `FILE#${id}`;
const message = (id: number) => `MESSAGE#${id}`;

/** Scopes of document and file lists: all, everyone's, and of the others a user's own and those shared with a user. */
export type ListScope = 'ALL' | 'EVERYONE' | `OF#${number}` | `SHARED#${number}`;

/** Formats an id so that its text sorts as the number does. */
const inOrder = (id: number) => String(id).padStart(16, '0');

/** Keys of all items by content: partition key first, then sort key. */
export const keys = {
  user: (id: number): Key => ({ pk: user(id), sk: 'USER' }),
  /**
   * Contains the user's id and makes the address unique, regardless of case. A former address is reserved by `heldFor`
   * instead of `userId`.
   */
  email: (email: string): Key => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' }),
  username: (name: string): Key => ({ pk: `USERNAME#${name.toLowerCase()}`, sk: 'USERNAME' }),
  /** All users by id, which is the order of creation. */
  userInList: (id: number): Key => ({ pk: 'USERS', sk: inOrder(id) }),
  userByName: (sortName: string, id: number): Key => ({
    pk: 'USERS#NAME',
    sk: `${sortName}#${inOrder(id)}`,
  }),
  userByRoleAndStatus: (role: string, status: string, id: number): Key => ({
    pk: `USERS#ROLE#${role}#STATUS#${status}`,
    sk: inOrder(id),
  }),
  /** Users who hold a permission by their role or in addition to it. */
  userByPermission: (permission: string, id: number): Key => ({
    pk: `USERS#PERMISSION#${permission}`,
    sk: inOrder(id),
  }),
  /** A search word of a user, grouped by first character. */
  userByWord: (word: string, id: number): Key => ({
    pk: `USERS#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** Number of active super_admins. */
  superAdmins: (): Key => ({ pk: 'SUPER_ADMINS', sk: 'COUNT' }),
  /** Counter shard of users created in a month (UTC, `2026-11`). */
  newUsers: (month: string, shard: number): Key => ({
    pk: `STATS#USERS#${month}#${shard}`,
    sk: 'NEW',
  }),
  /** Counter shard of a total. */
  total: (counted: string, shard: number): Key => ({
    pk: `TOTAL#${counted}#${shard}`,
    sk: 'TOTAL',
  }),
  session: (userId: number, id: string): Key => ({ pk: user(userId), sk: `SESSION#${id}` }),
  /** Identified by the SHA-256 of the token. */
  apiToken: (userId: number, hash: string): Key => ({ pk: user(userId), sk: `TOKEN#${hash}` }),
  /** Maps the SHA-256 of a link's token to the email change that it undoes. */
  emailUndo: (userId: number, hash: string): Key => ({
    pk: user(userId),
    sk: `EMAIL-UNDO#${hash}`,
  }),
  checkin: (userId: number): Key => ({ pk: user(userId), sk: 'CHECKIN' }),
  /** Who receives what a deleted user owned. */
  userTransfer: (userId: number): Key => ({ pk: `TRANSFER#${userId}`, sk: 'TRANSFER' }),

  share: (id: string): Key => ({ pk: share(id), sk: 'SHARE' }),
  /** Small item that every view writes: counter, limit and recent view ids. */
  shareAccess: (id: string): Key => ({ pk: share(id), sk: 'VIEWS' }),
  /** Compressed source and rendered HTML. */
  shareContent: (id: string): Key => ({ pk: share(id), sk: 'TEXTS' }),
  /** Schedules the end of a share. Exists for its index entry. */
  shareEnd: (id: string): Key => ({ pk: share(id), sk: 'END' }),
  shareReport: (id: string, at: string, reportId: string): Key => ({
    pk: share(id),
    sk: `REPORT#${at}#${reportId}`,
  }),
  /** A user's shares, oldest first. `createdAt` is ISO 8601. */
  shareByOwner: (userId: number, createdAt: string, id: string): Key => ({
    pk: user(userId),
    sk: `SHARE#${createdAt}#${id}`,
  }),
  /** Prefix of the keys of a user's shares. */
  ownShares: (userId: number): Key => ({ pk: user(userId), sk: 'SHARE#' }),
  /** Index: all shares by creation. */
  allShares: (createdAt: string, id: string): Key => ({ pk: 'SHARES', sk: `${createdAt}#${id}` }),
  /** Index: reported shares by their first undecided report. */
  reportedShares: (reportedAt: string, id: string): Key => ({
    pk: 'SHARES#REPORTED',
    sk: `${reportedAt}#${id}`,
  }),
  /** Index: ends of shares that are due or whose content still exists. */
  shareEnds: (at: string, id: string): Key => ({ pk: 'SHARES#ENDS', sk: `${at}#${id}` }),
  /** Index: when tombstones expire. */
  shareTombstones: (at: string, id: string): Key => ({
    pk: 'SHARES#TOMBSTONES',
    sk: `${at}#${id}`,
  }),
  ownShareCount: (userId: number): Key => ({ pk: user(userId), sk: 'SHARES' }),

  document: (id: number): Key => ({ pk: document(id), sk: 'DOCUMENT' }),
  /** Compressed content. */
  documentContent: (id: number): Key => ({ pk: document(id), sk: 'TEXTS' }),
  /** An entry of a list by id, which is the order of creation. */
  documentById: (scope: ListScope, id: number): Key => ({
    pk: `DOCUMENTS#${scope}`,
    sk: inOrder(id),
  }),
  documentByTitle: (scope: ListScope, sortTitle: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#TITLE`,
    sk: `${sortTitle}#${inOrder(id)}`,
  }),
  documentByFolder: (scope: ListScope, folder: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#FOLDER#${folder}`,
    sk: inOrder(id),
  }),
  documentByType: (scope: ListScope, type: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#TYPE#${type}`,
    sk: inOrder(id),
  }),
  documentByTag: (scope: ListScope, tag: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#TAG#${tag}`,
    sk: inOrder(id),
  }),
  documentByAuthor: (scope: ListScope, authorId: number, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#AUTHOR#${authorId}`,
    sk: inOrder(id),
  }),
  /** A search word of the title, grouped by first character. */
  documentByWord: (scope: ListScope, word: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** An author's trash by deletion time (ISO 8601). */
  trashedDocument: (authorId: number, deletedAt: string, id: number): Key => ({
    pk: `DOCUMENTS#TRASH#${authorId}`,
    sk: `${deletedAt}#${inOrder(id)}`,
  }),
  /** Index: when documents in the trash are permanently deleted. */
  documentPurges: (at: string, id: number): Key => ({
    pk: 'DOCUMENTS#PURGES',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** Counter shard of a user's documents: those visible without being everyone's, and those in the trash. */
  documentCounts: (userId: number, shard: number): Key => ({
    pk: user(userId),
    sk: `DOCUMENTS#${shard}`,
  }),

  /** A user's notifications by id, which is the order of creation. */
  notification: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `NOTIFICATION#${inOrder(id)}`,
  }),
  /** Prefix of the keys of a user's notifications. */
  notifications: (userId: number): Key => ({ pk: user(userId), sk: 'NOTIFICATION#' }),
  /** Counts by day and read marks of a user's notifications. */
  notificationCounters: (userId: number): Key => ({ pk: user(userId), sk: 'NOTIFICATIONS' }),
  /** Marks that a user was notified of an event. */
  notificationReceipt: (userId: number, event: string): Key => ({
    pk: user(userId),
    sk: `RECEIPT#${event}`,
  }),

  /** An S3 object to delete at a time (ISO 8601). */
  scheduledDeletion: (at: string, key: string): Key => ({ pk: 'DELETIONS', sk: `${at}#${key}` }),

  sale: (id: number): Key => ({ pk: `SALE#${id}`, sk: 'SALE' }),
  /** Contains the sale's id and makes the external id unique. */
  saleByExternalId: (externalId: string): Key => ({
    pk: `SALE#EXTERNAL#${externalId}`,
    sk: 'SALE',
  }),
  /** All sales by date of sale (ISO 8601). */
  saleInList: (soldAt: string, id: number): Key => ({
    pk: 'SALES',
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  /** Index: sales by category, and by customer. */
  saleByCategory: (category: string, soldAt: string, id: number): Key => ({
    pk: `SALES#CATEGORY#${category}`,
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  saleByCustomer: (customer: string, soldAt: string, id: number): Key => ({
    pk: `SALES#CUSTOMER#${customer}`,
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  /** Counter shard of all sales in a currency, and of those of a month (UTC, `2026-11`) or category. */
  allSales: (currency: string, shard: number): Key => ({
    pk: `STATS#SALES#${currency}#${shard}`,
    sk: 'ALL',
  }),
  monthlyTotals: (currency: string, month: string, shard: number): Key => ({
    pk: `STATS#SALES#${currency}#${shard}`,
    sk: `MONTH#${month}`,
  }),
  categoryTotals: (currency: string, category: string, shard: number): Key => ({
    pk: `STATS#SALES#${currency}#${shard}`,
    sk: `CATEGORY#${category}`,
  }),
  /** Names of the categories of sales in a currency. */
  saleCategories: (currency: string): Key => ({ pk: `STATS#SALES#${currency}`, sk: 'CATEGORIES' }),

  /** Counter shard of a day (UTC, `2026-11-21`). */
  dailyActivity: (day: string, shard: number): Key => ({ pk: `STATS#DAYS#${shard}`, sk: day }),
  /** When a visitor was active on a day. */
  dailyVisitor: (day: string, viewer: string): Key => ({
    pk: `VISITOR#${day}#${viewer}`,
    sk: 'VISITOR',
  }),
  /** Part of the ledger of ten minutes (`2026-11-21T12:3`): keys of the events already counted. */
  activityLedger: (tenMinutes: string, part: number): Key => ({
    pk: `ACTIVITY#${tenMinutes}`,
    sk: String(part).padStart(6, '0'),
  }),

  message: (id: number): Key => ({ pk: message(id), sk: 'MESSAGE' }),
  /** Compressed content, if longer than lists show. */
  messageContent: (id: number): Key => ({ pk: message(id), sk: 'TEXTS' }),
  /** Number of users who have or will get a copy. */
  messageCopies: (id: number): Key => ({ pk: message(id), sk: 'COPIES' }),
  /** A message that is being delivered to a user. */
  delivery: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `DELIVERY#${inOrder(id)}`,
  }),
  /** Message counters of a user. */
  mailbox: (userId: number): Key => ({ pk: user(userId), sk: 'MAILBOX' }),
  /** A user's copy of a message in the inbox or among sent messages. */
  messageInBox: (userId: number, box: 'inbox' | 'sent', id: number): Key => ({
    pk: user(userId),
    sk: `${box.toUpperCase()}#${inOrder(id)}`,
  }),
  unreadMessage: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `UNREAD#${inOrder(id)}`,
  }),
  readMessage: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `READ#${inOrder(id)}`,
  }),
  /** A user's copy within its conversation. */
  messageInConversation: (userId: number, conversationId: number, id: number): Key => ({
    pk: user(userId),
    sk: `COPY#${inOrder(conversationId)}#${inOrder(id)}`,
  }),
  /** A user's conversation, and its entry in the list ordered by latest message. */
  conversation: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `CONVERSATION#${inOrder(id)}`,
  }),
  conversationByLatest: (userId: number, latestId: number): Key => ({
    pk: user(userId),
    sk: `LATEST#${inOrder(latestId)}`,
  }),

  file: (id: number): Key => ({ pk: file(id), sk: 'FILE' }),
  /** Number of files and folders in a folder. */
  folderChildren: (id: number): Key => ({ pk: file(id), sk: 'CHILDREN' }),
  /** A user's uploads that are not complete. */
  fileUpload: (ownerId: number, id: number): Key => ({
    pk: `FILES#UPLOADS#${ownerId}`,
    sk: inOrder(id),
  }),
  /** Index: when uploads expire. */
  fileUploadEnds: (at: string, id: number): Key => ({
    pk: 'FILES#UPLOADS',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** An entry of a list by id, which is the order of creation. */
  fileById: (scope: ListScope, id: number): Key => ({ pk: `FILES#${scope}`, sk: inOrder(id) }),
  fileByName: (scope: ListScope, sortName: string, id: number): Key => ({
    pk: `FILES#${scope}#NAME`,
    sk: `${sortName}#${inOrder(id)}`,
  }),
  fileByType: (scope: ListScope, type: string, id: number): Key => ({
    pk: `FILES#${scope}#TYPE#${type}`,
    sk: inOrder(id),
  }),
  /** A search word of the name, grouped by first character. */
  fileByWord: (scope: ListScope, word: string, id: number): Key => ({
    pk: `FILES#${scope}#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** Contents of a user's folder (`undefined` for the top level) by creation, and by name with folders first. */
  fileInFolder: (ownerId: number, folderId: number | undefined, id: number): Key => ({
    pk: `FILES#OF#${ownerId}#IN#${folderId ?? ''}`,
    sk: inOrder(id),
  }),
  fileInFolderByName: (
    ownerId: number,
    folderId: number | undefined,
    kind: 'folder' | 'file',
    sortName: string,
    id: number,
  ): Key => ({
    pk: `FILES#OF#${ownerId}#IN#${folderId ?? ''}#NAME`,
    sk: `${kind === 'folder' ? 0 : 1}#${sortName}#${inOrder(id)}`,
  }),
  /** An owner's files that are visible to everyone. */
  publicFile: (ownerId: number, id: number): Key => ({
    pk: `FILES#EVERYONE#OF#${ownerId}`,
    sk: inOrder(id),
  }),
  favoriteFile: (ownerId: number, id: number): Key => ({
    pk: `FILES#OF#${ownerId}#FAVORITES`,
    sk: inOrder(id),
  }),
  /** Counter shard of the files visible to a user without being everyone's. */
  fileCounts: (userId: number, shard: number): Key => ({
    pk: user(userId),
    sk: `FILES#${shard}`,
  }),
  /** Bytes that a user stores, including reservations for uploads. */
  fileUsage: (userId: number): Key => ({ pk: user(userId), sk: 'FILES#USAGE' }),
  /** Names and parents of a user's folders by id. */
  fileFolders: (userId: number): Key => ({ pk: user(userId), sk: 'FILES#FOLDERS' }),

  event: (id: number): Key => ({ pk: `EVENT#${id}`, sk: 'EVENT' }),
  /**
   * A single event in a user's calendar, by maximum duration and start (ISO 8601), so that a window is read from
   * shortly before its start.
   */
  singleEvent: (
    userId: number,
    lasting: 'DAY' | 'MONTH' | 'YEAR',
    start: string,
    id: number,
  ): Key => ({
    pk: `CALENDAR#${userId}`,
    sk: `${lasting}#${start}#${inOrder(id)}`,
  }),
  /** A recurring event, by its last end (ISO 8601, or `forever`, which sorts after every time). */
  recurringEvent: (userId: number, overAt: string, id: number): Key => ({
    pk: `CALENDAR#${userId}`,
    sk: `SERIES#${overAt}#${inOrder(id)}`,
  }),
  /** A user's open tasks by due time (ISO 8601). */
  openTask: (userId: number, dueAt: string, id: number): Key => ({
    pk: `CALENDAR#${userId}#TASKS`,
    sk: `${dueAt}#${inOrder(id)}`,
  }),
  /** The next reminder of an event. Exists for its index entry. */
  eventReminder: (id: number): Key => ({ pk: `EVENT#${id}`, sk: 'REMINDER' }),
  /** Index: the next reminders of all events. */
  eventReminders: (at: string, id: number): Key => ({
    pk: 'EVENTS#REMINDERS',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** Address of a user's calendar feed. */
  calendarFeed: (userId: number): Key => ({ pk: user(userId), sk: 'CALENDAR#FEED' }),

  /** An audit entry by month and time (ISO 8601), and again by actor (index) and by subject. */
  audit: (at: string, id: string): Key => ({ pk: `AUDIT#${at.slice(0, 7)}`, sk: `${at}#${id}` }),
  auditOfActor: (actorId: number, at: string, id: string): Key => ({
    pk: `AUDIT#ACTOR#${actorId}`,
    sk: `${at}#${id}`,
  }),
  auditOfSubject: (subject: string, at: string, id: string): Key => ({
    pk: `AUDIT#SUBJECT#${subject}`,
    sk: `${at}#${id}`,
  }),
  /** Partition of a user's idempotent requests, and the marker of what one created. */
  idempotency: (userId: number): string => `IDEMPOTENCY#${userId}`,
  idempotencyMarker: (userId: number, hash: string): Key => ({
    pk: `IDEMPOTENCY#${userId}`,
    sk: `CREATED#${hash}`,
  }),

  /** A job that the queue did not accept, by the time (ISO 8601) from which it may be sent. */
  outboxJob: (sendAt: string, id: string): Key => ({ pk: 'OUTBOX', sk: `${sendAt}#${id}` }),
  /** Partition of the executions of a message. */
  jobExecution: (messageId: string): string => `JOB#${messageId}`,

  /** Token bucket of a limit and a key. */
  rateLimit: (limit: string, who: string): Key => ({ pk: `LIMIT#${limit}#${who}`, sk: 'LIMIT' }),

  /** Never written. Reading it checks that the table responds. */
  health: (): Key => ({ pk: 'HEALTH', sk: 'HEALTH' }),
} as const;
