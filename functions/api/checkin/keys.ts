import { keyFamily } from '../../../shared/db/key.ts';

export const checkinKeys = {
  /** Check-ins of a user. */
  record: keyFamily('USER#{userId:int}', 'CHECKIN'),
} as const;
