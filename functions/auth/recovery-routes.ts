import * as z from 'zod';
import { Done, success } from '../../shared/envelope.ts';
import { withNewPassword } from '../../shared/passwords.ts';
import { Reply } from '../../shared/reply.ts';
import { route, type ShownFailure } from '../../shared/route.ts';
import { pagePolicy } from '../pages/layout.ts';
import { resetPassword } from './recovery.ts';
import { resetDonePage, resetFailedPage, resetPage } from './reset-page.ts';

const ResetInput = withNewPassword({ token: z.string().max(256) }).meta({
  id: 'ResetInput',
  examples: [
    {
      token: '244212480000000.c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I',
      password: 'battery staple',
    },
  ],
});

const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, { status, headers: { 'content-security-policy': pagePolicy() } });

const failurePage = ({ status, message }: ShownFailure): Reply<string> =>
  page(resetFailedPage(message), status);

/** The routes that lead a user back in who has forgotten the password. */
export const recoveryRoutes = [
  route({
    endpoint: 'POST /api/auth/reset-password',
    access: 'public',
    summary: 'Set a new password by the token of a link; ends every session',
    body: ResetInput,
    output: Done,
    handle: async ({ body }) => {
      await resetPassword(body.token, body.password);
      return success({}, 'The password is set: sign in with it');
    },
  }),
  route({
    endpoint: 'GET /reset',
    access: 'public',
    summary: 'The page behind a link to a new password',
    query: z.object({ token: z.string().max(256).optional() }),
    produces: 'html',
    output: z.string(),
    failurePage,
    handle: async ({ query }) => page(resetPage(query.token ?? '')),
  }),
  route({
    endpoint: 'POST /reset',
    access: 'public',
    summary: 'What the form of that page sends',
    body: z.object({
      token: z.string().max(256),
      password: z.string().max(256),
      confirmPassword: z.string().max(256),
    }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage,
    handle: async ({ body }) => {
      const input = ResetInput.safeParse(body);
      if (!input.success) {
        const [issue] = input.error.issues;
        const wrong = `${issue?.path.join('.')} ${issue?.message}`;
        return page(resetPage(body.token, wrong), 400);
      }
      await resetPassword(input.data.token, input.data.password);
      return page(resetDonePage());
    },
  }),
];
