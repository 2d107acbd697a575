import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Keeps what is received, and answers with a status or by a function. */
export const receive = (
  received: Received[],
  answer: number | ((response: ServerResponse, count: number) => void) = 204,
) => {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method = '', headers } = request;
    received.push({ path: url, method, headers, body: await text(request) });
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response, received.length);
  };
};

/**
 * Checks a request as the specification of Standard Webhooks says, written from it and not from the service: at least one of the
 * signatures of version 1 is that of the secret, and the time is within five minutes.
 */
export const isAuthentic = (
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  secret: string,
  nowMs: number,
): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']];
  if (Math.abs(nowMs / 1_000 - Number(at)) > 300) return false;
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => one.split(','))
    .some(([version, signature = '']) => {
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === 32 && timingSafeEqual(given, expected);
    });
};
