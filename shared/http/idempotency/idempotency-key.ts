import type { Context } from 'aws-lambda';
import type { Write } from '../../db/transaction.ts';
import { invalidField } from '../../runtime/errors.ts';
import type { Event, RequestContext } from '../http.ts';
import type { Reply } from '../reply.ts';

/** How long a repeat gets the first answer (decisions.md#idempotency). */
export const idempotencyTtlSeconds = 86_400;

/** A request that may come again, with what tells it from others of the same user. */
export interface IdempotentRequest {
  readonly userId: number;
  /** What is asked for, such as `POST /api/share`. */
  readonly endpoint: string;
  /** Of the header `Idempotency-Key`. */
  readonly key: string;
  /** What the body says. */
  readonly body: unknown;
}

/** What such a request has done. */
export interface Work {
  /** Makes it, with the write that marks the key as used in the same transaction. */
  make(marker: (subject: string) => Write): Promise<Reply<unknown>>;
  /** The answer's body about what was made before. */
  recall(subject: string): Promise<unknown>;
}

/** What remembers the requests that were answered: `shared/http/idempotency/idempotency.ts`. */
export interface IdempotencyStore {
  replyIdempotently(
    repeatable: IdempotentRequest,
    context: RequestContext & Context,
    work: Work,
  ): Promise<Reply<unknown>>;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The request as one that may come again: it names itself by an `Idempotency-Key`, and its route answers one.
 * @throws AppError VALIDATION_ERROR when the key is none
 */
export const parseIdempotencyKey = (
  { headers, rawPath }: Event,
  { route, actor, body = null }: RequestContext,
): IdempotentRequest | undefined => {
  const key = headers['idempotency-key'];
  if (!route.idempotency || key === undefined || !actor) return undefined;
  if (keyPattern.test(key)) {
    return { userId: actor.user.id, endpoint: `${route.method} ${rawPath}`, key, body };
  }
  throw invalidField('idempotency-key', 'must be 1 to 255 visible ASCII characters');
};
