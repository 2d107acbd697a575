import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { findUndoableChange, undoEmailChange } from '../../api/users/account/email-undo.ts';
import { emailRestoredPage, emailUndoPage } from './email-undo-pages.ts';
import { failurePageOf, page, TokenQuery } from './link-pages.ts';

/** The routes behind the link that undoes a change of the e-mail address. */
export const emailUndoRoutes = [
  route({
    endpoint: 'GET /undo-email',
    access: 'public',
    summary: 'The page behind a link that undoes a change of the e-mail address',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('undo'),
    handle: async ({ query: { token } }) => {
      const { former } = await findUndoableChange(token);
      return page(emailUndoPage(token, former));
    },
  }),
  route({
    endpoint: 'POST /undo-email',
    access: 'public',
    summary:
      'What the form of that page sends; restores the former address, and ends the password, every session and API token',
    body: TokenQuery,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('undo'),
    audit: 'email.restore',
    handle: async ({ body: { token }, change }) => {
      const { email, isMailed } = await undoEmailChange(token, change);
      return page(emailRestoredPage(email, isMailed));
    },
  }),
];
