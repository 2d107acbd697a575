import manifest from '../../../functions/web/assets/built/manifest.json' with { type: 'json' };
import type { Role } from '../../../shared/permissions/permissions.ts';
import { modern } from '../mcp/messages.ts';
import { call } from '../service/call.ts';
import { newFailedJob } from '../service/failed-job.ts';
import { whileMailIsOn } from '../service/mail.ts';
import { whileEmailSignInIsOn } from '../users/email-codes.ts';
import { leave } from '../users/leaving.ts';
import { login, newAccount } from '../users/test-users.ts';
import { newUser, params, plain, type TypicalCalls } from './sample-request.ts';

const asset = (endpoint: string, path: string) =>
  plain(endpoint, { params: { file: path.slice(path.lastIndexOf('/') + 1) } });

const ofUser = (endpoint: string, role?: Role) => async () => {
  const { token } = await newUser(role);
  return () => call(endpoint, { token });
};

/** Signs in a new user whose role must have a second factor. */
const signInHeld = async (): Promise<string> => {
  const { email } = await newAccount({ role: 'guest' });
  process.env['MFA_REQUIRED_ROLES'] = 'guest';
  try {
    return (await login(email)).body.accessToken;
  } finally {
    delete process.env['MFA_REQUIRED_ROLES'];
  }
};

/** The pages of the console, as an administrator gets them. */
const consolePages = [
  'GET /moderation',
  'GET /audit',
  'GET /settings',
  'GET /sales',
  'GET /users',
  'GET /shares',
  'GET /account',
  'GET /files',
  'GET /dashboard',
  'GET /documents',
  'GET /messages',
  'GET /calendar',
  'GET /notifications',
];

const pages = [
  'GET /',
  'GET /login',
  'GET /register',
  'GET /forgot',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /llms.txt',
  'GET /skill.md',
  'GET /api/docs/swagger-ui.css',
  'GET /api/docs/swagger-ui-bundle.js',
  'GET /api/health',
  'GET /health',
];

export const otherCalls: TypicalCalls = {
  'POST /mcp': async () => {
    const { token } = await newUser();
    return () => modern(token, 'tools/list');
  },
  'GET /api/docs/{group}': plain('GET /api/docs/{group}', { params: { group: 'share' } }),
  'POST /api/markdown': plain('POST /api/markdown', { body: { markdown: '# Hi' } }),
  'GET /login/email': async () => () => whileEmailSignInIsOn(() => call('GET /login/email')),
  'GET /authorize': ofUser('GET /authorize'),
  'GET /enrol': async () => {
    const token = await signInHeld();
    return () => call('GET /enrol', { token });
  },
  'GET /leaving': async () => {
    const { email, token } = await newUser();
    await leave(token);
    const back = (await login(email)).body.accessToken;
    return () => call('GET /leaving', { token: back });
  },
  'POST /api/checkin': ofUser('POST /api/checkin'),
  'GET /api/settings/failed-jobs': ofUser('GET /api/settings/failed-jobs', 'super_admin'),
  'POST /api/settings/failed-jobs/{id}/retry': async () => {
    const { token } = await newUser('super_admin');
    const id = await newFailedJob();
    return () => call('POST /api/settings/failed-jobs/{id}/retry', { token, ...params(id) });
  },
  'GET /api/settings': ofUser('GET /api/settings', 'super_admin'),
  'GET /api/settings/health': ofUser('GET /api/settings/health', 'super_admin'),
  'GET /api/settings/spending': ofUser('GET /api/settings/spending', 'super_admin'),
  'POST /api/settings/spending/lift': async () => {
    const { token } = await newUser('super_admin');
    return () => call('POST /api/settings/spending/lift', { token, body: { dollars: 5 } });
  },
  'POST /api/settings/test-mail': async () => {
    const send = await ofUser('POST /api/settings/test-mail', 'super_admin')();
    return () => whileMailIsOn(send);
  },
  'GET /documents/{id}': async () => {
    const { token } = await newUser('super_admin');
    return () => call('GET /documents/{id}', { token, params: { id: '1' } });
  },
  'GET /api/checkin': ofUser('GET /api/checkin'),
  ...Object.fromEntries(
    consolePages.map((endpoint) => [endpoint, ofUser(endpoint, 'super_admin')]),
  ),
  ...Object.fromEntries(pages.map((endpoint) => [endpoint, plain(endpoint)])),
  'GET /assets/styles/{file}': asset('GET /assets/styles/{file}', manifest['ui.css']),
  'GET /assets/scripts/{file}': asset('GET /assets/scripts/{file}', manifest['account.js']),
  'GET /assets/fonts/{file}': asset('GET /assets/fonts/{file}', manifest['inter.woff2']),
  'GET /assets/images/{file}': asset('GET /assets/images/{file}', manifest['card.png']),
  'GET /licenses': plain('GET /licenses'),
};
