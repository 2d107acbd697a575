import { keyFamily } from '../db/key.ts';

export const storageKeys = {
  /**
   * S3 object to delete at a time. A change of a large content takes six write units: its new object is scheduled, that is
   * canceled, the old one is scheduled and deleted. So 16 partitions take 2,600 changes a second.
   */
  deletion: keyFamily('DELETIONS#{key:shard of 16}', '{at}#{key:any}'),
} as const;
