import { keyFamily } from '../db/key.ts';

export const storageKeys = {
  /** S3 object to delete at a time. */
  deletion: keyFamily('DELETIONS', '{at}#{key:any}'),
} as const;
