import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { pagePolicy } from '../layout/layout.ts';
import { errorPage, invalidLinkPage, type PageKind } from './password-pages.ts';

/** The token of a link, which its page and the form there carry. */
export const TokenQuery = z.object({ token: z.string().max(256).default('') });

export const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, { status, headers: { 'content-security-policy': pagePolicy() } });

/** Only the token can be wrong in a way that the form doesn't tell. */
export const createErrorPage =
  (kind: PageKind) =>
  ({ status, code, message }: PublicError): Reply<string> =>
    page(code === 'VALIDATION_ERROR' ? invalidLinkPage(kind) : errorPage(message), status);
