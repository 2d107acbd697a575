import { keyFamily } from '../../db/key.ts';

export const idempotencyKeys = {
  /** Request with an `Idempotency-Key`. */
  request: keyFamily('IDEMPOTENCY#{userId:int}', 'REPLY#{hash:any}'),
  /** What one created. */
  marker: keyFamily('IDEMPOTENCY#{userId:int}', 'CREATED#{hash:any}'),
} as const;
