import { keyFamily } from '../db/key.ts';

export const limitKeys = {
  /** Token bucket of a rate limit. */
  bucket: keyFamily('LIMIT#{limit}#{who:any}', 'LIMIT'),
} as const;
