import { keyFamily } from '../../../shared/db/key.ts';

export const healthKeys = {
  /** Never written: reading it checks that the table responds. */
  probe: keyFamily('HEALTH', 'HEALTH'),
} as const;
