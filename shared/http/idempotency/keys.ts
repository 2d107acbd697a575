import { keyFamily } from '../../db/key.ts';

export const idempotencyKeys = {
  /** Request with an `Idempotency-Key`, and what it created. */
  request: keyFamily('IDEMPOTENCY#{userId:int}', 'REQUEST#{hash}'),
} as const;
