import type { Context } from 'aws-lambda';
import { AppError } from './errors.ts';
import type { CallContext, Event } from './http.ts';
import type { Reply } from './reply.ts';
import type { RouteRequest } from './route.ts';
import type { Write } from './transaction.ts';

/** A request that may come again, with what tells it from others of the same user. */
export interface Repeatable {
  readonly userId: number;
  /** The route, such as `POST /api/share`. */
  readonly route: string;
  /** Of the header `Idempotency-Key`. */
  readonly key: string;
  /** What the body says. */
  readonly body: unknown;
}

/** What remembers the requests that were answered: `shared/idempotency.ts`. */
export interface Memory {
  markerWrite(request: Repeatable): (subject: string) => Write;
  replyOnce(
    repeatable: Repeatable,
    context: CallContext & Context,
    request: RouteRequest,
    work: () => Promise<Reply<unknown>>,
  ): Promise<Reply<unknown>>;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The request as one that may come again: it names itself by an `Idempotency-Key`, and its route answers one.
 * @throws AppError VALIDATION_ERROR when the key is none
 */
export const readRepeatable = (
  { headers }: Event,
  { route, actor, body }: CallContext,
): Repeatable | undefined => {
  const key = headers['idempotency-key'];
  if (!route.repeats || key === undefined || !actor) return undefined;
  if (keyPattern.test(key)) {
    return { userId: actor.user.id, route: `${route.method} ${route.path}`, key, body };
  }
  const message = 'must have 1 to 255 visible ASCII characters';
  throw new AppError('VALIDATION_ERROR', `idempotency-key: ${message}`, {
    details: [{ field: 'idempotency-key', message }],
  });
};
