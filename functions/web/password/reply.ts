import { Reply } from '../../../shared/http/reply.ts';
import { pagePolicy } from '../layout/policy.ts';

/**
 * Creates a page response with its content security policy. Without a referrer, browsers send `Origin: null` with a form, and
 * such a form can't sign in (decisions.md#cookie). Only the origin is sent, never the path with the token.
 */
export const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, {
    status,
    headers: { 'content-security-policy': pagePolicy(), 'referrer-policy': 'strict-origin' },
  });
