import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { findUndoableChange, undoEmailChange } from '../../api/users/account/email-undo.ts';
import { emailRestoredPage, emailUndoPage } from './email-undo-pages.ts';
import { createErrorPage, page, TokenQuery } from './link-pages.ts';

/** The routes of the link that undoes a change of the email address. */
export const emailUndoRoutes = [
  route({
    endpoint: 'GET /undo-email',
    access: 'public',
    summary: 'Show the email undo page',
    description: 'The page that the link in a notice about a changed email address leads to.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('undo'),
    handle: async ({ query: { token } }) => {
      const { former } = await findUndoableChange(token);
      return page(emailUndoPage(token, former));
    },
  }),
  route({
    endpoint: 'POST /undo-email',
    access: 'public',
    summary: 'Restore the previous email address',
    description:
      'Restores the former email address. Removes the password and ends all sessions and API tokens of the account.',
    body: TokenQuery,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('undo'),
    auditAction: 'email.restore',
    handle: async ({ body: { token }, audit }) => {
      const { email, isEmailSent } = await undoEmailChange(token, audit);
      return page(emailRestoredPage(email, isEmailSent));
    },
  }),
];
