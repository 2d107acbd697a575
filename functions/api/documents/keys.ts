import { indexFamily, keyFamily } from '../../../shared/db/key.ts';

/** Begins with the folded name, so that the names of a list can be listed and found (shared/lists/names.ts). */
const byName = '{folded:line}\t{name:line}\t{id:id}';

export const documentKeys = {
  /** Document. */
  record: keyFamily('DOCUMENT#{id:int}', 'DOCUMENT'),
  /** Compressed content, unless in the bucket. */
  content: keyFamily('DOCUMENT#{id:int}', 'TEXTS'),
  /** Former title and content, without its text unless that is short. */
  revision: keyFamily('DOCUMENT#{id:int}', 'REVISION#{version:id}'),
  /** Compressed text of a former content, unless in the revision or in the bucket. */
  revisionText: keyFamily('DOCUMENT#{id:int}', 'REVISED#{version:id}'),
  /** List by creation. */
  byId: keyFamily('DOCUMENTS#{list:list}', '{id:id}'),
  /** List by title. */
  byName: keyFamily('DOCUMENTS#{list:list}#TITLE', '{sortName:any}#{id:id}'),
  /** List by folder. */
  byFolder: keyFamily('DOCUMENTS#{list:list}#FOLDER#{name:shard of 4}', byName),
  /** List by type. */
  byType: keyFamily('DOCUMENTS#{list:list}#TYPE#{name:shard of 4}', byName),
  /** List by tag. */
  byTag: keyFamily('DOCUMENTS#{list:list}#TAG#{name:shard of 4}', byName),
  /** List of an author. */
  byAuthor: keyFamily('DOCUMENTS#{list:list}#AUTHOR#{authorId:int}', '{id:id}'),
  /** List by search word of the title. */
  byWord: keyFamily('DOCUMENTS#{list:list}#WORD#{word:first}', '{word:any}#{id:id}'),
  /** An author's trash. */
  trashed: keyFamily('DOCUMENTS#TRASH#{authorId:int}', '{deletedAt}#{id:id}'),
  /** When documents in the trash are permanently deleted. */
  purges: indexFamily('DOCUMENTS#PURGES#{id:shard of 4}', '{at}#{id:id}'),
  /** Counter shard of the documents that everyone sees. */
  publicCounts: keyFamily('DOCUMENTS#EVERYONE#COUNTS', '{shard:int}'),
  /** Counter shard of a user's documents that are not everyone's, and of those in the trash. */
  counts: keyFamily('USER#{userId:int}', 'DOCUMENTS#{shard:int}'),
} as const;
