import { indexFamily, keyFamily } from '../../../shared/db/key.ts';

export const documentKeys = {
  /** Document. */
  record: keyFamily('DOCUMENT#{id:int}', 'DOCUMENT'),
  /** Compressed content, unless in the bucket. */
  content: keyFamily('DOCUMENT#{id:int}', 'TEXTS'),
  /** List by creation. */
  byId: keyFamily('DOCUMENTS#{list:list}', '{id:id}'),
  /** List by title. */
  byName: keyFamily('DOCUMENTS#{list:list}#TITLE', '{sortName:any}#{id:id}'),
  /** List of a folder. */
  byFolder: keyFamily('DOCUMENTS#{list:list}#FOLDER#{folder:any}', '{id:id}'),
  /** List of a type. */
  byType: keyFamily('DOCUMENTS#{list:list}#TYPE#{type}', '{id:id}'),
  /** List of a tag. */
  byTag: keyFamily('DOCUMENTS#{list:list}#TAG#{tag:any}', '{id:id}'),
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
