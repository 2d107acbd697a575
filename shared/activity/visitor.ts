import { createHmac } from 'node:crypto';
import type { Caller } from '../http/route.ts';
import { currentKey } from '../runtime/signing-keys.ts';

/**
 * What a visitor is called on a day (UTC, `2026-11-21`): the same for the same network and browser, another one the next
 * day. Made from the signing secret, so that nobody without it finds out the address, and nothing of it is kept.
 */
export const visitorOf = async (
  { network, userAgent = '' }: Pick<Caller, 'network' | 'userAgent'>,
  day: string,
): Promise<string> =>
  createHmac('sha256', (await currentKey()).secret)
    .update(`visitor\n${day}\n${network}\n${userAgent}`)
    .digest('base64url')
    .slice(0, 22);
