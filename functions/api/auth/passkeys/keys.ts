import { keyFamily } from '../../../../shared/db/key.ts';

export const passkeyKeys = {
  /** Challenge that was used, by the hash of its token. */
  usedChallenge: keyFamily('CHALLENGE#{hash}', 'USED'),
} as const;
