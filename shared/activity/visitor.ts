import { createHmac } from 'node:crypto';
import type { ClientInfo } from '../http/route.ts';
import { getCurrentKey } from '../runtime/signing-keys.ts';

/**
 * Creates the pseudonym of a visitor for a day (UTC, `2026-11-21`) from network and browser. It is derived from the
 * signing secret, so that it does not reveal the address, and changes every day.
 */
export const createVisitorId = async (
  { network, userAgent = '' }: Pick<ClientInfo, 'network' | 'userAgent'>,
  day: string,
): Promise<string> =>
  createHmac('sha256', (await getCurrentKey()).secret)
    .update(`visitor\n${day}\n${network}\n${userAgent}`)
    .digest('base64url')
    .slice(0, 22);
