import { keyFamily } from '../db/key.ts';

export const storageKeys = {
  // Six write units a change of a large content, whose new object is scheduled and canceled, and the former one scheduled and
  // deleted: 16 partitions take 2,600 changes a second.
  /** S3 object to delete at a time. */
  deletion: keyFamily('DELETIONS#{key:shard of 16}', '{at}#{key:any}'),
  /** Bytes that a user stores: files, including the trash and reservations for uploads, and what others handed in. */
  usage: keyFamily('USER#{userId:int}', 'FILES#USAGE'),
} as const;
