import { indexFamily, keyFamily } from '../../../../shared/db/key.ts';

/** A `folderId` is absent at the top level. */
export const fileKeys = {
  /** File or folder. */
  record: keyFamily('FILE#{id:int}', 'FILE'),
  /** The thumbnail of an image. */
  thumbnail: keyFamily('FILE#{id:int}', 'THUMBNAIL'),
  /** Number of files and folders in a folder. */
  children: keyFamily('FILE#{id:int}', 'CHILDREN'),
  /** A user's uploads that are not complete. */
  upload: keyFamily('FILES#UPLOADS#{ownerId:int}', '{id:id}'),
  /** When uploads expire. */
  uploadEnds: indexFamily('FILES#UPLOADS#ENDS#{id:shard of 4}', '{at}#{id:id}'),
  /** List by creation. */
  byId: keyFamily('FILES#{list:list}', '{id:id}'),
  /** List by name. */
  byName: keyFamily('FILES#{list:list}#NAME', '{sortName:any}#{id:id}'),
  /** List of a type. */
  byType: keyFamily('FILES#{list:list}#TYPE#{type}', '{id:id}'),
  /** List by search word of the name. */
  byWord: keyFamily('FILES#{list:list}#WORD#{word:first}', '{word:any}#{id:id}'),
  /** Contents of a folder by creation. */
  inFolder: keyFamily('FILES#OF#{ownerId:int}#IN#{folderId:optional}', '{id:id}'),
  /** Contents of a folder by name, folders (0) first. */
  inFolderByName: keyFamily(
    'FILES#OF#{ownerId:int}#IN#{folderId:optional}#NAME',
    '{rank:0|1}#{sortName:any}#{id:id}',
  ),
  /** An owner's files that everyone sees. */
  public: keyFamily('FILES#EVERYONE#OF#{ownerId:int}', '{id:id}'),
  /** Favorites. */
  favorite: keyFamily('FILES#OF#{ownerId:int}#FAVORITES', '{id:id}'),
  /** An owner's trash. */
  trashed: keyFamily('FILES#TRASH#{ownerId:int}', '{deletedAt}#{id:id}'),
  /** When files in the trash are permanently deleted. */
  purges: indexFamily('FILES#PURGES#{id:shard of 4}', '{at}#{id:id}'),
  /** Counter shard of the files that everyone sees. */
  publicCounts: keyFamily('FILES#EVERYONE#COUNTS', '{shard:int}'),
  /** Counter shard of the files a user sees that are not everyone's, and of those in the trash. */
  counts: keyFamily('USER#{userId:int}', 'FILES#{shard:int}'),
  /** Names and parents of a user's folders by id. */
  folders: keyFamily('USER#{userId:int}', 'FILES#FOLDERS'),
} as const;
