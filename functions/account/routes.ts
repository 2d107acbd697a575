import * as z from 'zod';
import { Reply } from '../../shared/reply.ts';
import { route } from '../../shared/route.ts';
import { setting } from '../../shared/settings.ts';
import { accountPage } from './account-page.ts';
import { accountPolicy } from './layout.ts';
import { script, scriptNames } from './scripts.ts';
import { forgotPage, loginPage, registerPage } from './sign-in-pages.ts';

const page = (body: string): Reply<string> =>
  new Reply(body, { headers: { 'content-security-policy': accountPolicy() } });

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
  route({
    endpoint: 'GET /account/{script}',
    access: 'public',
    summary: 'A script of these pages, such as `account.js`',
    params: z.object({ script: z.enum(scriptNames) }),
    headers: z.object({ 'accept-encoding': z.string().optional() }),
    output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    produces: 'javascript',
    handle: async ({ params, headers }) => {
      const { plain, gzipped } = await script(params.script);
      const isGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
      return new Reply<Uint8Array>(isGzip ? gzipped : plain, {
        headers: {
          'cache-control': 'public, max-age=300',
          vary: 'accept-encoding',
          ...(isGzip && { 'content-encoding': 'gzip' }),
        },
      });
    },
  }),
];
