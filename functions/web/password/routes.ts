import * as z from 'zod';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { withNewPassword } from '../../../shared/auth/new-password.ts';
import { isPasswordSignInOn } from '../../../shared/auth/ways-in.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type ClientInfo, type FailurePage, route } from '../../../shared/http/route.ts';
import { createSecondStep } from '../../api/auth/factors/second-step.ts';
import { createCookie } from '../../api/auth/sessions.ts';
import { createSession } from '../../api/auth/sign-in.ts';
import { findUndoableChange, undoEmailChange } from '../../api/users/account/email-undo.ts';
import { type LinkKind, readToken, resetPassword } from '../../api/users/account/password-link.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import {
  emailRestoredPage,
  emailUndoPage,
  invalidLinkPage,
  type PageKind,
  passwordPage,
  passwordSetPage,
  passwordsOffPage,
} from './pages.ts';
import { page } from './reply.ts';
import { secondFactorRoute, showSecondStep } from './second-factor-route.ts';
import { passwordTexts } from './texts.ts';

/** The token in the query of a link, or in the form of its page. */
const TokenQuery = z.object({ token: z.string().max(256).default('') });

/** Creates the error page of a link. A validation error here always concerns the token: the form shows all others. */
const createErrorPage =
  (kind: PageKind): FailurePage =>
  (failure) => {
    const theme = readTheme(failure.cookies);
    if (failure.code === 'VALIDATION_ERROR') {
      return page(invalidLinkPage(kind, theme), failure.status);
    }
    const isOff = failure.code === 'FORBIDDEN' && !isPasswordSignInOn();
    return isOff ? page(passwordsOffPage(theme), failure.status) : replyWithErrorPage(failure);
  };

const NewPassword = withNewPassword({});

const isOff = { FORBIDDEN: 'The setting PASSWORD_SIGN_IN is off.' };

/** Where one is signed in. The dashboard says what a reset has done. */
const landings = { reset: '/dashboard?done=reset', invitation: '/dashboard' } as const;

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

interface FormRequest {
  readonly body: z.output<typeof FormInput>;
  readonly isCrossSite: boolean;
  readonly cookies: readonly string[];
  readonly client: ClientInfo;
  readonly recorder: ChangeRecorder;
}

/** Sets the password and signs in, unless the form is of another site or the user may not sign in. */
const submitForm = async (
  kind: LinkKind,
  { body: { token, ...passwords }, isCrossSite, cookies, client, recorder }: FormRequest,
): Promise<Reply<string>> => {
  const theme = readTheme(cookies);
  const { user } = await readToken(token, [kind]);
  const input = await NewPassword.safeParseAsync(passwords);
  if (!input.success) {
    const [issue] = input.error.issues;
    const error =
      issue?.path[0] === 'password' ? `The password ${issue.message}.` : passwordTexts.mismatch;
    return page(passwordPage(kind, { token, email: user.email, error }, theme), 400);
  }
  const { password } = input.data;
  const changed = await resetPassword(token, password, [kind], client, recorder);
  // A form of another site must not sign its visitor in to someone else's account.
  if (isCrossSite) return page(passwordSetPage(theme));
  if (changed.secondFactors) {
    return showSecondStep(await createSecondStep(changed), landings[kind], theme);
  }
  const signedIn = await createSession(changed, { password, method: 'link' }, client, recorder);
  if (!signedIn) return page(passwordSetPage(theme));
  return new Reply('', {
    status: 303,
    headers: { location: landings[kind] },
    cookies: [await createCookie(signedIn.session, signedIn.user)],
  });
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
    errors: isOff,
    failurePage: createErrorPage('reset'),
    handle: async ({ query, cookies }) => showForm('reset', query.token, readTheme(cookies)),
  }),
  route({
    endpoint: 'POST /reset',
    access: 'public',
    summary: 'Reset a password by form',
    description:
      'Sets the new password. Ends all sessions and API tokens of the account, and signs in an active user.',
    redirects: 'Once the user is signed in: the dashboard.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors: isOff,
    failurePage: createErrorPage('reset'),
    auditAction: 'password.reset',
    handle: async (request) => submitForm('reset', request),
  }),
  route({
    endpoint: 'GET /invite',
    access: 'public',
    summary: 'Show the invitation page',
    description: 'The page that an invitation leads to. The user sets a first password there.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    errors: isOff,
    failurePage: createErrorPage('invitation'),
    handle: async ({ query, cookies }) => showForm('invitation', query.token, readTheme(cookies)),
  }),
  route({
    endpoint: 'POST /invite',
    access: 'public',
    summary: 'Accept an invitation by form',
    description: 'Sets the first password of the invited user, and signs in.',
    redirects: 'Once the user is signed in: the dashboard.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors: isOff,
    failurePage: createErrorPage('invitation'),
    auditAction: 'invitation.accept',
    handle: async (request) => submitForm('invitation', request),
  }),
  secondFactorRoute,
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
    handle: async ({ body: { token }, recorder, cookies }) => {
      const { email, isEmailSent } = await undoEmailChange(token, recorder);
      return page(emailRestoredPage(email, isEmailSent, readTheme(cookies)));
    },
  }),
];
