import type { Context } from 'aws-lambda';
import type { CreateMarker } from '../../audit/audit-log.ts';
import { invalidField } from '../../runtime/errors.ts';
import type { Event, RequestContext } from '../http.ts';
import type { Reply } from '../reply.ts';

/** Time in which a repeated request gets the first response (decisions.md#idempotency). */
export const idempotencyTtlSeconds = 86_400;

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly userId: number;
  /** Method and path, such as `POST /api/share`. */
  readonly endpoint: string;
  /** Value of the `Idempotency-Key` header. */
  readonly key: string;
  /** Parsed body. */
  readonly body: unknown;
}

/** The operation of an idempotent request. */
export interface IdempotentOperation {
  /** Runs it. The created step names the subject in the claim of the key and must be in the subject's transaction. */
  run(createMarker: CreateMarker): Promise<Reply<unknown>>;
  /** Creates the response body again from the subject that was created. */
  replay(subject: string): Promise<unknown>;
}

/** Stores responses for repeated requests (`shared/http/idempotency/idempotency.ts`). */
export interface IdempotencyStore {
  replyIdempotently(
    request: IdempotentRequest,
    context: RequestContext & Context,
    operation: IdempotentOperation,
  ): Promise<Reply<unknown>>;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * Parses the `Idempotency-Key`, if the request has one and the route supports it.
 * @throws AppError VALIDATION_ERROR for an invalid key
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
