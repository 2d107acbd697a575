import { keyFamily } from '../../../shared/db/key.ts';

export const visitKeys = {
  /** When a visitor was active on a day. */
  visitor: keyFamily('VISITOR#{day}#{visitor}', 'VISITOR'),
  /** Events already counted in ten minutes (`2026-11-21T12:3`), in parts. */
  ledger: keyFamily('ACTIVITY#{window}', '{part:part}'),
} as const;
