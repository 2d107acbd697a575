import { keyFamily } from '../../../shared/db/key.ts';

export const retentionKeys = {
  /** How far a walk has come that deletes what is kept no longer. */
  walk: keyFamily('RETENTION', '{walk}'),
} as const;
