import { indexFamily, keyFamily } from '../../../../shared/db/key.ts';

/** Each new share writes a unit to the list of all: four partitions of the index take 4,000 a second. */
const shards = 4;

export const shareKeys = {
  /** Share. */
  record: keyFamily('SHARE#{id}', 'SHARE'),
  /** What every view writes: counter, limit and recent view ids. */
  access: keyFamily('SHARE#{id}', 'STATE'),
  /** Compressed source and HTML, unless in the bucket. */
  content: keyFamily('SHARE#{id}', 'TEXTS'),
  /** Compressed list of the files of a share, unless in its record or in the bucket. */
  files: keyFamily('SHARE#{id}', 'FILES'),
  /** Former content, without its text. */
  revision: keyFamily('SHARE#{id}', 'REVISION#{version:id}'),
  /** Compressed source of a former content, unless in the bucket. */
  revisionText: keyFamily('SHARE#{id}', 'REVISED#{version:id}'),
  /** Compressed list of the files of a former content, unless in the bucket. */
  revisionFiles: keyFamily('SHARE#{id}', 'FILED#{version:id}'),
  /** Its end, for the index. */
  end: keyFamily('SHARE#{id}', 'END'),
  /** How often a user opened it. */
  receipt: keyFamily('SHARE#{id}', 'OPENED#{userId:int}'),
  /** Report. */
  report: keyFamily('SHARE#{id}', 'REPORT#{at}#{reportId}'),
  /** Which share has a slug, or who released it. */
  slug: keyFamily('SLUG#{slug}', 'SLUG'),
  /** Recipient link, without what its views write. */
  link: keyFamily('LINK#{linkId}', 'LINK'),
  /** The newest code that a recipient link was asked for. */
  linkCode: keyFamily('LINK#{linkId}', 'CODE'),
  /** A user's shares by creation. */
  byOwner: keyFamily('USER#{ownerId:int}', 'SHARE#{createdAt}#{id}'),
  /** Number of a user's shares. */
  ownCount: keyFamily('USER#{ownerId:int}', 'SHARES'),
  /** Number of shares that an API token created on a day (UTC), if its ceiling limits them. */
  published: keyFamily('USER#{ownerId:int}', 'PUBLISHED#{tokenId:int}#{day}'),
  /** Names a user as a reader of a share, whether or not it is in the user’s list. */
  reader: keyFamily('USER#{userId:int}', 'READS#{id}'),
  /** Shares that name a user as a reader, by when they did first. */
  received: keyFamily('USER#{userId:int}', 'RECEIVED#{sharedAt}#{id}'),
  /** Up to when a user has seen what others share. */
  seen: keyFamily('USER#{userId:int}', 'RECEIVED'),
  /** A share for all members that a user removed from the list. */
  hidden: keyFamily('USER#{userId:int}', 'HIDDEN#{id}'),
  /** Users who removed a share for all members from their list. */
  hiddenBy: indexFamily('SHARES#HIDDEN#{id}', '{userId:int}'),
  /** Shares for all members by when they became that, in four shards. */
  members: keyFamily(`SHARES#MEMBERS#{id:shard of ${shards}}`, '{sharedAt}#{id}'),
  /** All shares by creation, in four shards. */
  all: indexFamily(`SHARES#ALL#{id:shard of ${shards}}`, '{createdAt}#{id}'),
  /** Reported shares by their first undecided report. */
  reported: indexFamily('SHARES#REPORTED', '{reportedAt}#{id}'),
  /** Ends of shares that are due or whose content still exists. */
  ends: indexFamily('SHARES#ENDS#{id:shard of 4}', '{at}#{id}'),
  /** When the objects of a share are compared with its list of files. */
  prune: keyFamily('SHARES#PRUNE#{id:shard of 8}', '{at}#{id}#{entry}'),
  /** Files that a user is sending ahead of a share. */
  upload: keyFamily('USER#{ownerId:int}', 'UPLOAD#{id}'),
  /** When tombstones expire. */
  tombstones: indexFamily('SHARES#TOMBSTONES#{id:shard of 4}', '{at}#{id}'),
} as const;
