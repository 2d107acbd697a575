import * as z from 'zod';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { setting } from '../../../../shared/runtime/settings.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { accountPage } from './account-page.ts';
import { forgotPage, loginPage, registerPage } from './sign-in-pages.ts';

const page = (body: string): Reply<string> =>
  new Reply(body, { headers: { 'content-security-policy': pagePolicy() } });

export const routes = [
  route({
    endpoint: 'GET /login',
    access: 'public',
    summary: 'The page to sign in; `next` is a path of this host to go to afterwards',
    output: z.string(),
    produces: 'html',
    handle: async () => page(loginPage(setting('REGISTRATION'))),
  }),
  route({
    endpoint: 'GET /register',
    access: 'public',
    summary: 'The page to register; `token` is that of an invitation',
    query: z.object({ token: z.string().optional() }),
    output: z.string(),
    produces: 'html',
    handle: async ({ query }) =>
      page(registerPage(setting('REGISTRATION'), query.token || undefined)),
  }),
  route({
    endpoint: 'GET /forgot',
    access: 'public',
    summary: 'The page to ask for a link to a new password',
    output: z.string(),
    produces: 'html',
    handle: async () => page(forgotPage(setting('MAIL_FROM') !== undefined)),
  }),
  route({
    endpoint: 'GET /account',
    access: 'public',
    summary: "The page of one's own account; it holds no data, its script asks the API for it",
    output: z.string(),
    produces: 'html',
    handle: async () => page(accountPage()),
  }),
];
