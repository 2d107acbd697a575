import { keyFamily } from '../../../shared/db/key.ts';

export const visitKeys = {
  /** When a visitor was active on a day, with the last counted events. */
  visitor: keyFamily('VISITOR#{day}#{visitor}', 'VISITOR'),
} as const;
