import type * as z from 'zod';
import {
  negotiate,
  type Representation,
  type representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import type { Reply } from '../../../shared/http/reply.ts';

/** Returns a page that is the same for all users. Its script loads user data from the API. */
export const pageReply = (
  body: string,
  headers: z.output<z.ZodObject<typeof representationHeaders>>,
  policy: string,
): Promise<Reply<z.output<typeof Representation>>> =>
  negotiate(body, headers, {
    caches: 'public',
    headers: { 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' },
  });
