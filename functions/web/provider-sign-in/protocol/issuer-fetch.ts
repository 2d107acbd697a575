import type { CustomFetch } from 'openid-client';
import { withDeadline } from '../../../../shared/runtime/deadline.ts';
import { ProviderError } from './provider-error.ts';

const timeoutMs = 5_000;

/** Far more than discovery, keys and tokens take. */
const maxBytes = 256 * 1_024;

const isLoopback = (hostname: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const isAllowed = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));

const unavailable = (detail: string, cause?: unknown) =>
  new ProviderError('unavailable', detail, { cause });

const readBody = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw unavailable('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Fetches from an issuer that the operator chose, so that it may be in a private network: https, or http on this machine, without
 * redirects, within 5 s and 256 KB.
 * @throws ProviderError unavailable, misconfigured
 */
export const fetchIssuer: CustomFetch = async (url, { method, headers, body }) => {
  if (!isAllowed(new URL(url))) throw new ProviderError('misconfigured', 'address without https');
  return withDeadline(timeoutMs, async (signal) => {
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, 'user-agent': 'Handbill' },
        body: (body ?? null) as BodyInit | null,
        redirect: 'manual',
        signal,
      });
      const { status } = response;
      if (status >= 500 || status === 429) throw unavailable(`status ${status}`);
      const content = await readBody(response);
      const isEmpty = content.length === 0;
      return new Response(isEmpty ? null : new Uint8Array(content), {
        status,
        headers: response.headers,
      });
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw unavailable(signal.aborted ? 'no response in time' : 'no response', error);
    }
  });
};
