import { createHmac, randomBytes } from 'node:crypto';
import type { StoredWebhook } from './webhook.ts';

/** How long requests are signed with both secrets after a renewal (ms). */
export const bothValidMs = 86_400_000;

const prefix = 'whsec_';

/** Creates a secret in the form of the Standard Webhooks specification. */
export const createSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')}`;

/**
 * Returns the headers that prove where a request comes from and that nobody changed or repeats it
 * (https://www.standardwebhooks.com). With two secrets, a signature by each.
 */
export const signRequest = (
  { secret, formerSecret }: Pick<StoredWebhook, 'secret' | 'formerSecret'>,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  const former = formerSecret && Date.parse(formerSecret.until) > now ? [formerSecret.secret] : [];
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [secret, ...former].map((one) => sign(one, content)).join(' '),
  };
};
