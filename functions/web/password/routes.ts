import * as z from 'zod';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { withNewPassword } from '../../../shared/auth/passwords.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type PublicError, route } from '../../../shared/http/route.ts';
import { findUndoableChange, undoEmailChange } from '../../api/users/account/email-undo.ts';
import { type LinkKind, readToken, resetPassword } from '../../api/users/account/password-link.ts';
import { pagePolicy } from '../layout/policy.ts';
import {
  emailRestoredPage,
  emailUndoPage,
  errorPage,
  invalidLinkPage,
  type PageKind,
  passwordPage,
  passwordSetPage,
} from './pages.ts';
import { passwordTexts } from './texts.ts';

/** The token in the query of a link, or in the form of its page. */
const TokenQuery = z.object({ token: z.string().max(256).default('') });

/** Creates a page response with its content security policy. */
const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, { status, headers: { 'content-security-policy': pagePolicy() } });

/** Creates the error page of a link. A validation error here always concerns the token: the form shows all others. */
const createErrorPage =
  (kind: PageKind) =>
  ({ status, code, message }: PublicError): Reply<string> =>
    page(code === 'VALIDATION_ERROR' ? invalidLinkPage(kind) : errorPage(message), status);

const NewPassword = withNewPassword({});

const showForm = async (kind: LinkKind, token: string): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  return page(passwordPage(kind, { token, email: user.email }));
};

// Lenient on purpose: the page itself says what is wrong with a password.
const FormInput = z.object({
  token: z.string().max(256).default(''),
  password: z.string().default(''),
  confirmPassword: z.string().default(''),
});

const submitForm = async (
  kind: LinkKind,
  { token, ...passwords }: z.output<typeof FormInput>,
  audit: AuditRecorder,
): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  const input = NewPassword.safeParse(passwords);
  if (!input.success) {
    const [issue] = input.error.issues;
    const error =
      issue?.path[0] === 'password' ? `The password ${issue.message}.` : passwordTexts.mismatch;
    return page(passwordPage(kind, { token, email: user.email, error }), 400);
  }
  await resetPassword(token, input.data.password, [kind], audit);
  return page(passwordSetPage());
};

export const routes = [
  route({
    endpoint: 'GET /reset',
    access: 'public',
    summary: 'Show the password reset page',
    description: 'The page that a password reset link leads to.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('reset'),
    handle: async ({ query }) => showForm('reset', query.token),
  }),
  route({
    endpoint: 'POST /reset',
    access: 'public',
    summary: 'Reset a password by form',
    description: 'Sets the new password. Ends all sessions and API tokens of the account.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('reset'),
    auditAction: 'password.reset',
    handle: async ({ body, audit }) => submitForm('reset', body, audit),
  }),
  route({
    endpoint: 'GET /invite',
    access: 'public',
    summary: 'Show the invitation page',
    description: 'The page that an invitation leads to. The user sets a first password there.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('invitation'),
    handle: async ({ query }) => showForm('invitation', query.token),
  }),
  route({
    endpoint: 'POST /invite',
    access: 'public',
    summary: 'Accept an invitation by form',
    description: 'Sets the first password of the invited user.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: createErrorPage('invitation'),
    auditAction: 'invitation.accept',
    handle: async ({ body, audit }) => submitForm('invitation', body, audit),
  }),
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
