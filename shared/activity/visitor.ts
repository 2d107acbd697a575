import { createHmac } from 'node:crypto';
import type { ClientInfo } from '../http/route.ts';
import { getCurrentKey } from '../runtime/signing-keys.ts';

/**
 * What a visitor is called on a day (UTC, `2026-11-21`): the same for the same network and browser, another one the next
 * day. Made from the signing secret, so that nobody without it finds out the address, and nothing of it is kept.
 */
export const createVisitorId = async (
  { network, userAgent = '' }: Pick<ClientInfo, 'network' | 'userAgent'>,
  day: string,
): Promise<string> =>
  createHmac('sha256', (await getCurrentKey()).secret)
    .update(`visitor\n${day}\n${network}\n${userAgent}`)
    .digest('base64url')
    .slice(0, 22);
