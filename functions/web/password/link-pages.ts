import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { pagePolicy } from '../layout/layout.ts';
import { errorPage, invalidLinkPage, type PageKind } from './password-pages.ts';

/** The token in the query of a link, or in the form of its page. */
export const TokenQuery = z.object({ token: z.string().max(256).default('') });

/** Creates a page response with its content security policy. */
export const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, { status, headers: { 'content-security-policy': pagePolicy() } });

/** Creates the error page of a link. A validation error here always concerns the token: the form shows all others. */
export const createErrorPage =
  (kind: PageKind) =>
  ({ status, code, message }: PublicError): Reply<string> =>
    page(code === 'VALIDATION_ERROR' ? invalidLinkPage(kind) : errorPage(message), status);
