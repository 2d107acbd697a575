import * as z from 'zod';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { accountPage } from './page.ts';
import { forgotPage, loginPage, registerPage } from './sign-in-pages.ts';

const page = (body: string): Reply<string> =>
  new Reply(body, { headers: { 'content-security-policy': pagePolicy() } });

export const routes = [
  route({
    endpoint: 'GET /login',
    access: 'public',
    summary: 'Show the sign-in page',
    description: 'The query parameter `next` is the path to open after signing in.',
    output: z.string(),
    produces: 'html',
    handle: async () => page(loginPage(getSetting('REGISTRATION'))),
  }),
  route({
    endpoint: 'GET /register',
    access: 'public',
    summary: 'Show the registration page',
    description: 'With an invitation, the link contains its `token`.',
    query: z.object({ token: z.string().optional() }),
    output: z.string(),
    produces: 'html',
    handle: async ({ query }) =>
      page(registerPage(getSetting('REGISTRATION'), query.token || undefined)),
  }),
  route({
    endpoint: 'GET /forgot',
    access: 'public',
    summary: 'Show the forgotten password page',
    description: 'The page requests a password reset link.',
    output: z.string(),
    produces: 'html',
    handle: async () => page(forgotPage(getSetting('MAIL_FROM') !== undefined)),
  }),
  route({
    endpoint: 'GET /account',
    access: 'public',
    summary: 'Show the account page',
    description: 'The page contains no user data; its script calls the API.',
    output: z.string(),
    produces: 'html',
    handle: async () => page(accountPage()),
  }),
];
