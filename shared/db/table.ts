/** The key attributes of the one table; the stack and the local engine make it from this. */
export const schema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
} as const;

/** The primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const user = (id: number) => `USER#${id}`;
const share = (id: string) => `SHARE#${id}`;
const document = (id: number) => `DOCUMENT#${id}`;
const file = (id: number) => `FILE#${id}`;
const message = (id: number) => `MESSAGE#${id}`;

/**
 * Where documents and files stand: all of them, those that are everyone's, and, of those that are not, a user's own and
 * those that are shared with a user.
 */
export type ListScope = 'ALL' | 'EVERYONE' | `OF#${number}` | `SHARED#${number}`;

/** An id as text that sorts as the number does. */
const inOrder = (id: number) => String(id).padStart(16, '0');

/** Every item of the table, by what it holds. Partition first, sort key second. */
export const keys = {
  user: (id: number): Key => ({ pk: user(id), sk: 'USER' }),
  /**
   * Holds the user's id; its existence makes the e-mail address unique, whatever the case. A former address is reserved by
   * `heldFor` in place of `userId`.
   */
  email: (email: string): Key => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' }),
  username: (name: string): Key => ({ pk: `USERNAME#${name.toLowerCase()}`, sk: 'USERNAME' }),
  /** The list of all users, in the order of their ids, which is that of their creation. */
  userInList: (id: number): Key => ({ pk: 'USERS', sk: inOrder(id) }),
  userByName: (sortName: string, id: number): Key => ({
    pk: 'USERS#NAME',
    sk: `${sortName}#${inOrder(id)}`,
  }),
  userByRoleAndStatus: (role: string, status: string, id: number): Key => ({
    pk: `USERS#ROLE#${role}#STATUS#${status}`,
    sk: inOrder(id),
  }),
  /** Those who hold a permission, by their role or besides. */
  userByPermission: (permission: string, id: number): Key => ({
    pk: `USERS#PERMISSION#${permission}`,
    sk: inOrder(id),
  }),
  /** One word that a user is found by, among all that begin with the same character. */
  userByWord: (word: string, id: number): Key => ({
    pk: `USERS#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** How many super_admins are active. */
  superAdmins: (): Key => ({ pk: 'SUPER_ADMINS', sk: 'COUNT' }),
  /** One of the counters of the users made in a month (UTC, `2026-11`). */
  newUsers: (month: string, shard: number): Key => ({
    pk: `STATS#USERS#${month}#${shard}`,
    sk: 'NEW',
  }),
  /** One of the counters that together tell how many there are. */
  total: (counted: string, shard: number): Key => ({
    pk: `TOTAL#${counted}#${shard}`,
    sk: 'TOTAL',
  }),
  session: (userId: number, id: string): Key => ({ pk: user(userId), sk: `SESSION#${id}` }),
  /** Found by the SHA-256 of the token. */
  apiToken: (userId: number, hash: string): Key => ({ pk: user(userId), sk: `TOKEN#${hash}` }),
  /** Leads from the SHA-256 of the token of a link to the change of the e-mail address that it undoes. */
  emailUndo: (userId: number, hash: string): Key => ({
    pk: user(userId),
    sk: `EMAIL-UNDO#${hash}`,
  }),
  checkin: (userId: number): Key => ({ pk: user(userId), sk: 'CHECKIN' }),
  /** Who gets what a removed user owned. */
  userTransfer: (userId: number): Key => ({ pk: `TRANSFER#${userId}`, sk: 'TRANSFER' }),

  share: (id: string): Key => ({ pk: share(id), sk: 'SHARE' }),
  /** The small item that every view writes: the counter, the limit and the recent claims. */
  shareAccess: (id: string): Key => ({ pk: share(id), sk: 'VIEWS' }),
  /** The compressed source, and the HTML it was rendered to. */
  shareContent: (id: string): Key => ({ pk: share(id), sk: 'TEXTS' }),
  /** Plans the end of a share by time; it is there for its place in the index. */
  shareEnd: (id: string): Key => ({ pk: share(id), sk: 'END' }),
  shareReport: (id: string, at: string, reportId: string): Key => ({
    pk: share(id),
    sk: `REPORT#${at}#${reportId}`,
  }),
  /** The owner's list, oldest first; `createdAt` is an ISO 8601 time. */
  shareByOwner: (userId: number, createdAt: string, id: string): Key => ({
    pk: user(userId),
    sk: `SHARE#${createdAt}#${id}`,
  }),
  /** What the keys of that list begin with. */
  ownShares: (userId: number): Key => ({ pk: user(userId), sk: 'SHARE#' }),
  /** In the index: all shares by their creation. */
  allShares: (createdAt: string, id: string): Key => ({ pk: 'SHARES', sk: `${createdAt}#${id}` }),
  /** In the index: the shares that were reported, by the first report that nobody has decided about. */
  reportedShares: (reportedAt: string, id: string): Key => ({
    pk: 'SHARES#REPORTED',
    sk: `${reportedAt}#${id}`,
  }),
  /** In the index: the ends of shares that are to come or whose content is still there. */
  shareEnds: (at: string, id: string): Key => ({ pk: 'SHARES#ENDS', sk: `${at}#${id}` }),
  /** In the index: when tombstones are to be forgotten. */
  shareTombstones: (at: string, id: string): Key => ({
    pk: 'SHARES#TOMBSTONES',
    sk: `${at}#${id}`,
  }),
  ownShareCount: (userId: number): Key => ({ pk: user(userId), sk: 'SHARES' }),

  document: (id: number): Key => ({ pk: document(id), sk: 'DOCUMENT' }),
  /** The compressed content. */
  documentContent: (id: number): Key => ({ pk: document(id), sk: 'TEXTS' }),
  /** A place on a shelf, in the order of ids, which is that of creation. */
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
  /** One word of the title, among all that begin with the same character. */
  documentByWord: (scope: ListScope, word: string, id: number): Key => ({
    pk: `DOCUMENTS#${scope}#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** In its author's trash, in the order of deletion; `deletedAt` is an ISO 8601 time. */
  trashedDocument: (authorId: number, deletedAt: string, id: number): Key => ({
    pk: `DOCUMENTS#TRASH#${authorId}`,
    sk: `${deletedAt}#${inOrder(id)}`,
  }),
  /** In the index: when documents in the trash are to be deleted for good. */
  documentPurges: (at: string, id: number): Key => ({
    pk: 'DOCUMENTS#PURGES',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** One of the counters of a user's documents: those seen without being everyone's, and those in the trash. */
  documentCounts: (userId: number, shard: number): Key => ({
    pk: user(userId),
    sk: `DOCUMENTS#${shard}`,
  }),

  /** A user's notifications, in the order of their ids, which is that of their creation. */
  notification: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `NOTIFICATION#${inOrder(id)}`,
  }),
  /** What the keys of those begin with. */
  notifications: (userId: number): Key => ({ pk: user(userId), sk: 'NOTIFICATION#' }),
  /** Where they stand: how many there are of each day, and up to which they are read. */
  notificationCounters: (userId: number): Key => ({ pk: user(userId), sk: 'NOTIFICATIONS' }),
  /** That a user was told of something that happened. */
  notificationReceipt: (userId: number, event: string): Key => ({
    pk: user(userId),
    sk: `RECEIPT#${event}`,
  }),

  /** An object of the bucket that is to be deleted at a time (ISO 8601). */
  scheduledDeletion: (at: string, key: string): Key => ({ pk: 'DELETIONS', sk: `${at}#${key}` }),

  sale: (id: number): Key => ({ pk: `SALE#${id}`, sk: 'SALE' }),
  /** Its existence makes the external id unique; holds the sale's id. */
  saleByExternalId: (externalId: string): Key => ({
    pk: `SALE#EXTERNAL#${externalId}`,
    sk: 'SALE',
  }),
  /** The list of all sales, by when they were sold (ISO 8601). */
  saleInList: (soldAt: string, id: number): Key => ({
    pk: 'SALES',
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  /** In the index: the sales of a category, and those to a customer. */
  saleByCategory: (category: string, soldAt: string, id: number): Key => ({
    pk: `SALES#CATEGORY#${category}`,
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  saleByCustomer: (customer: string, soldAt: string, id: number): Key => ({
    pk: `SALES#CUSTOMER#${customer}`,
    sk: `${soldAt}#${inOrder(id)}`,
  }),
  /** One of the counters of all sales in a currency, of those of a month (UTC, `2026-11`), and of those of a category. */
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
  /** The names of the categories that sales in a currency have. */
  saleCategories: (currency: string): Key => ({ pk: `STATS#SALES#${currency}`, sk: 'CATEGORIES' }),

  /** One of the counters of a day (UTC, `2026-11-21`). */
  dailyActivity: (day: string, shard: number): Key => ({ pk: `STATS#DAYS#${shard}`, sk: day }),
  /** When a visitor was active on a day. */
  dailyVisitor: (day: string, viewer: string): Key => ({
    pk: `VISITOR#${day}#${viewer}`,
    sk: 'VISITOR',
  }),
  /** A part of what was counted of ten minutes (`2026-11-21T12:3`): the names of those happenings. */
  activityLedger: (tenMinutes: string, part: number): Key => ({
    pk: `ACTIVITY#${tenMinutes}`,
    sk: String(part).padStart(6, '0'),
  }),

  message: (id: number): Key => ({ pk: message(id), sk: 'MESSAGE' }),
  /** The compressed content, where it is more than lists show. */
  messageContent: (id: number): Key => ({ pk: message(id), sk: 'TEXTS' }),
  /** How many users have a copy of it, or will get one. */
  messageCopies: (id: number): Key => ({ pk: message(id), sk: 'COPIES' }),
  /** A message on its way into a user's inbox. */
  delivery: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `DELIVERY#${inOrder(id)}`,
  }),
  /** The counters of a user's messages. */
  mailbox: (userId: number): Key => ({ pk: user(userId), sk: 'MAILBOX' }),
  /** A user's copy of a message, in the one box or the other. */
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
  /** A user's copy among those of its conversation. */
  messageInConversation: (userId: number, conversationId: number, id: number): Key => ({
    pk: user(userId),
    sk: `COPY#${inOrder(conversationId)}#${inOrder(id)}`,
  }),
  /** What a user has of a conversation, and its place among the user's others by its latest message. */
  conversation: (userId: number, id: number): Key => ({
    pk: user(userId),
    sk: `CONVERSATION#${inOrder(id)}`,
  }),
  conversationByLatest: (userId: number, latestId: number): Key => ({
    pk: user(userId),
    sk: `LATEST#${inOrder(latestId)}`,
  }),

  file: (id: number): Key => ({ pk: file(id), sk: 'FILE' }),
  /** How many files and folders lie in a folder. */
  folderChildren: (id: number): Key => ({ pk: file(id), sk: 'CHILDREN' }),
  /** A user's uploads that were announced and are not complete. */
  fileUpload: (ownerId: number, id: number): Key => ({
    pk: `FILES#UPLOADS#${ownerId}`,
    sk: inOrder(id),
  }),
  /** In the index: when such an upload is given up. */
  fileUploadEnds: (at: string, id: number): Key => ({
    pk: 'FILES#UPLOADS',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** A place on a shelf, in the order of ids, which is that of creation. */
  fileById: (scope: ListScope, id: number): Key => ({ pk: `FILES#${scope}`, sk: inOrder(id) }),
  fileByName: (scope: ListScope, sortName: string, id: number): Key => ({
    pk: `FILES#${scope}#NAME`,
    sk: `${sortName}#${inOrder(id)}`,
  }),
  fileByType: (scope: ListScope, type: string, id: number): Key => ({
    pk: `FILES#${scope}#TYPE#${type}`,
    sk: inOrder(id),
  }),
  /** One word of the name, among all that begin with the same character. */
  fileByWord: (scope: ListScope, word: string, id: number): Key => ({
    pk: `FILES#${scope}#WORD#${String.fromCodePoint(word.codePointAt(0) ?? 0)}`,
    sk: `${word}#${inOrder(id)}`,
  }),
  /** What lies in a user's folder (`undefined`: in none), in the order of creation, and by name with folders first. */
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
  /** The files of an owner that are everyone's. */
  publicFile: (ownerId: number, id: number): Key => ({
    pk: `FILES#EVERYONE#OF#${ownerId}`,
    sk: inOrder(id),
  }),
  favoriteFile: (ownerId: number, id: number): Key => ({
    pk: `FILES#OF#${ownerId}#FAVORITES`,
    sk: inOrder(id),
  }),
  /** One of the counters of the files that a user sees without their being everyone's. */
  fileCounts: (userId: number, shard: number): Key => ({
    pk: user(userId),
    sk: `FILES#${shard}`,
  }),
  /** What a user stores, in bytes, with what is reserved for uploads. */
  fileUsage: (userId: number): Key => ({ pk: user(userId), sk: 'FILES#USAGE' }),
  /** A user's folders, by their ids: their names, and which lies in which. */
  fileFolders: (userId: number): Key => ({ pk: user(userId), sk: 'FILES#FOLDERS' }),

  event: (id: number): Key => ({ pk: `EVENT#${id}`, sk: 'EVENT' }),
  /**
   * In the calendar of its owner or of an attendee: what happens once, by how long it takes at most and by its start (ISO
   * 8601), so that a window is read from not much before it on.
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
  /** The same of what recurs, by when it is over for good (ISO 8601, or `forever`, which sorts behind every time). */
  recurringEvent: (userId: number, overAt: string, id: number): Key => ({
    pk: `CALENDAR#${userId}`,
    sk: `SERIES#${overAt}#${inOrder(id)}`,
  }),
  /** A user's own tasks that are not done, by when they are due (ISO 8601). */
  openTask: (userId: number, dueAt: string, id: number): Key => ({
    pk: `CALENDAR#${userId}#TASKS`,
    sk: `${dueAt}#${inOrder(id)}`,
  }),
  /** When somebody is to be reminded of an event next; it is there for its place in the index. */
  eventReminder: (id: number): Key => ({ pk: `EVENT#${id}`, sk: 'REMINDER' }),
  /** In the index: the next reminders of all events. */
  eventReminders: (at: string, id: number): Key => ({
    pk: 'EVENTS#REMINDERS',
    sk: `${at}#${inOrder(id)}`,
  }),
  /** The address at which calendar programs read a user's calendar. */
  calendarFeed: (userId: number): Key => ({ pk: user(userId), sk: 'CALENDAR#FEED' }),

  /** One entry of the audit, by its month and time (ISO 8601); again for its actor, in the index, and its subject. */
  audit: (at: string, id: string): Key => ({ pk: `AUDIT#${at.slice(0, 7)}`, sk: `${at}#${id}` }),
  auditOfActor: (actorId: number, at: string, id: string): Key => ({
    pk: `AUDIT#ACTOR#${actorId}`,
    sk: `${at}#${id}`,
  }),
  auditOfSubject: (subject: string, at: string, id: string): Key => ({
    pk: `AUDIT#SUBJECT#${subject}`,
    sk: `${at}#${id}`,
  }),
  /** The partition of a user's requests that may come again, and what was made for one of them. */
  idempotency: (userId: number): string => `IDEMPOTENCY#${userId}`,
  idempotencyMarker: (userId: number, hash: string): Key => ({
    pk: `IDEMPOTENCY#${userId}`,
    sk: `CREATED#${hash}`,
  }),

  /** A job that the queue did not take, in the order of the times (ISO 8601) from which it may be sent. */
  outboxJob: (sendAt: string, id: string): Key => ({ pk: 'OUTBOX', sk: `${sendAt}#${id}` }),
  /** The partition that remembers a message's work. */
  jobExecution: (messageId: string): string => `JOB#${messageId}`,

  /** The token bucket of a limit for one of those whom it counts. */
  rateLimit: (limit: string, who: string): Key => ({ pk: `LIMIT#${limit}#${who}`, sk: 'LIMIT' }),

  /** Never written: reading it tells whether the table answers. */
  health: (): Key => ({ pk: 'HEALTH', sk: 'HEALTH' }),
} as const;
