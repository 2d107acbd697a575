import * as z from 'zod';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { withNewPassword } from '../../../shared/auth/new-password.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type ClientInfo, type FailurePage, route } from '../../../shared/http/route.ts';
import { findUndoableChange, undoEmailChange } from '../../api/users/account/email-undo.ts';
import { type LinkKind, readToken, resetPassword } from '../../api/users/account/password-link.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import {
  emailRestoredPage,
  emailUndoPage,
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
  (kind: PageKind): FailurePage =>
  (failure) =>
    failure.code === 'VALIDATION_ERROR'
      ? page(invalidLinkPage(kind, readTheme(failure.cookies)), failure.status)
      : replyWithErrorPage(failure);

const NewPassword = withNewPassword({});

const showForm = async (
  kind: LinkKind,
  token: string,
  theme: Theme | undefined,
): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  return page(passwordPage(kind, { token, email: user.email }, theme));
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
  client: ClientInfo,
  audit: AuditRecorder,
  theme: Theme | undefined,
): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  const input = await NewPassword.safeParseAsync(passwords);
  if (!input.success) {
    const [issue] = input.error.issues;
    const error =
      issue?.path[0] === 'password' ? `The password ${issue.message}.` : passwordTexts.mismatch;
    return page(passwordPage(kind, { token, email: user.email, error }, theme), 400);
  }
  await resetPassword(token, input.data.password, [kind], client, audit);
  return page(passwordSetPage(theme));
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
    handle: async ({ query, cookies }) => showForm('reset', query.token, readTheme(cookies)),
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
    handle: async ({ body, client, audit, cookies }) =>
      submitForm('reset', body, client, audit, readTheme(cookies)),
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
    handle: async ({ query, cookies }) => showForm('invitation', query.token, readTheme(cookies)),
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
    handle: async ({ body, client, audit, cookies }) =>
      submitForm('invitation', body, client, audit, readTheme(cookies)),
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
    handle: async ({ query: { token }, cookies }) => {
      const { former } = await findUndoableChange(token);
      return page(emailUndoPage(token, former, readTheme(cookies)));
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
    handle: async ({ body: { token }, audit, cookies }) => {
      const { email, isEmailSent } = await undoEmailChange(token, audit);
      return page(emailRestoredPage(email, isEmailSent, readTheme(cookies)));
    },
  }),
];
