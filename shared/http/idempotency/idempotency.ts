import { createHash, createHmac } from 'node:crypto';
import {
  claim,
  claimSubjectWrite,
  releaseClaim,
  type StoredClaim,
  settleClaim,
} from '../../db/claim.ts';
import { serializeError } from '../../runtime/error-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import { getCurrentKey, listKeysInUse, type SigningKey } from '../../runtime/signing-keys.ts';
import { getLogger } from '../../runtime/telemetry.ts';
import { Reply } from '../reply.ts';
import {
  type IdempotencyStore,
  type IdempotentRequest,
  idempotencyTtlSeconds,
} from './idempotency-key.ts';
import { idempotencyKeys } from './keys.ts';

/** An item holds up to 400 KB, and each KB written costs. */
const maxStoredBytes = 64 * 1024;

/** A stored response. */
interface StoredResponse {
  readonly status: number;
  /** Not stored if too long; then it is created again from the record. */
  readonly body: unknown;
}

const requestKey = ({ userId, endpoint, key }: IdempotentRequest) =>
  idempotencyKeys.request.at({
    userId,
    hash: createHash('sha256').update(`${endpoint}\n${key}`).digest('base64url'),
  });

/** Hashes a body with a key, because a plain hash would allow guessing a password in it. */
const hashBody = (body: unknown, { secret }: SigningKey): string =>
  createHmac('sha256', secret)
    .update(`repeat ${JSON.stringify(body)}`)
    .digest('base64url');

/** @throws AppError UNPROCESSABLE for another body than the first request's */
const assertSameBody = async (hash: string | undefined, body: unknown): Promise<void> => {
  if (hash === hashBody(body, await getCurrentKey())) return;
  // The first request may have been hashed with the previous secret, or with a newer one not yet known here.
  const others = await listKeysInUse();
  if (others.some((key) => hash === hashBody(body, key))) return;
  throw new AppError('UNPROCESSABLE', 'This Idempotency-Key was used with a different body.', {
    details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
  });
};

const inProgressError = () =>
  new AppError('CONFLICT', 'A request with this Idempotency-Key is in progress.', {
    headers: { 'retry-after': '1' },
  });

const omit = (body: unknown, fields: readonly string[] = []): unknown =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !fields.includes(name)));

/**
 * Runs a request at most once. Repeating it with the same key and body returns the same response for 24 hours, even if
 * the first attempt stopped after creating its record. Errors are not stored, so a repeated request tries again.
 * @throws AppError UNPROCESSABLE for a different body; CONFLICT while the first request is in progress
 */
export const replyIdempotently: IdempotencyStore['replyIdempotently'] = async (
  request,
  context,
  operation,
) => {
  const { route } = context;
  const key = requestKey(request);

  const toResponse = (status: number, output: unknown): StoredResponse => ({
    status,
    body: omit(route.output.parse(output), route.idempotency?.withoutFields),
  });
  /** Stores a response. If that fails, the claim names the record, from which it can be created again. */
  const store = async (token: string, getResponse: () => StoredResponse): Promise<void> => {
    try {
      const { status, body } = getResponse();
      const isShort = Buffer.byteLength(JSON.stringify(body)) <= maxStoredBytes;
      await settleClaim(key, token, JSON.stringify({ status, ...(isShort && { body }) }));
    } catch (error) {
      getLogger().warn('Idempotent response not stored', { error: serializeError(error) });
    }
  };
  const replay = async ({ token, hash, subject, result }: StoredClaim): Promise<Reply<unknown>> => {
    await assertSameBody(hash, request.body);
    const stored: Partial<StoredResponse> = result === undefined ? {} : JSON.parse(result);
    const { status = route.status } = stored;
    const headers = { 'idempotency-replayed': 'true' };
    if (stored.body !== undefined) return new Reply(stored.body, { status, headers });
    if (subject === undefined) throw inProgressError();
    const response = toResponse(status, await operation.replay(subject));
    if (result === undefined) await store(token, () => response);
    return new Reply(response.body, { status, headers });
  };

  const now = Date.now();
  const { state, ...claimed } = await claim(key, {
    hash: hashBody(request.body, await getCurrentKey()),
    until: now + context.getRemainingTimeInMillis(),
    ttl: Math.ceil(now / 1_000) + idempotencyTtlSeconds,
  });
  if (state !== 'mine') return replay(claimed);
  const { token } = claimed;
  let reply: Reply<unknown>;
  try {
    reply = await operation.run((subject) => ({
      write: claimSubjectWrite(key, token, subject),
      refused: inProgressError,
    }));
  } catch (error) {
    // This attempt may have created the record despite the error, or a later one has, once this one was too slow.
    const kept = await releaseClaim(key, token).catch(() => undefined);
    if (kept?.subject === undefined) throw error;
    return replay(kept);
  }
  await store(token, () => toResponse(reply.status ?? route.status, reply.body));
  return reply;
};
