import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { pagePolicy } from '../layout/policy.ts';
import { accountPage } from './account/page.ts';
import { signInRoutes } from './account/sign-in-routes.ts';
import { apiReferencePage } from './api-reference/page.ts';
import { composerPage } from './composer/page.ts';
import { dashboardPage } from './dashboard/page.ts';
import { filesPage } from './files/page.ts';
import { uploadUrl } from './files/upload-url.ts';
import { moderationPage } from './moderation/page.ts';
import { sharesPage } from './shares/page.ts';
import { shellPage } from './shell-page.ts';

interface PageInfo {
  readonly endpoint: `GET /${string}`;
  readonly summary: string;
  readonly description?: string;
}

const scripted = 'The page contains no user data; its script calls the API.';

/** Creates the route of a page that is the same for all users, so that caches may keep it. */
const publicPage = (
  { endpoint, summary, description = scripted }: PageInfo,
  render: () => string,
  getPolicy: () => string = pagePolicy,
) =>
  route({
    endpoint,
    access: 'public',
    summary,
    description,
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: ({ headers }) =>
      negotiate(render(), headers, {
        caches: 'public',
        headers: {
          'content-security-policy': getPolicy(),
          'cross-origin-opener-policy': 'same-origin',
        },
      }),
  });

const accountReply = (body: string): Reply<string> =>
  new Reply(body, { headers: { 'content-security-policy': pagePolicy() } });

/** Creates the route of a page of accounts, which is never cached. */
const privatePage = (
  { endpoint, summary, description = scripted }: PageInfo,
  render: () => string,
) =>
  route({
    endpoint,
    access: 'public',
    summary,
    description,
    output: z.string(),
    produces: 'html',
    handle: async () => accountReply(render()),
  });

const getFrames = (): string => getSetting('SNIPPETS_URL');
const getPreviewUrl = (): string => `${getFrames()}/preview`;

/** The routes of the site. Its pages load their data from the API. */
export const routes = [
  shellPage({
    endpoint: 'GET /',
    summary: 'Show the composer page',
    description:
      'The page for writing and sharing a snippet. With the query parameter `edit`, it edits the share with that id.',
    access: 'public',
    render: (session, target) => composerPage(getPreviewUrl(), session, /[?&]edit=/.test(target)),
    getPolicy: () => pagePolicy({ frames: getFrames(), anyImages: true }),
  }),
  publicPage({ endpoint: 'GET /shares', summary: 'Show your shares page' }, sharesPage),
  publicPage(
    { endpoint: 'GET /files', summary: 'Show the files page' },
    filesPage,
    // It may send files to the bucket, too, and to nothing beside it.
    () => pagePolicy({ connects: uploadUrl() }),
  ),
  publicPage({ endpoint: 'GET /dashboard', summary: 'Show the dashboard page' }, () =>
    dashboardPage(getSetting('CURRENCY')),
  ),
  ...signInRoutes,
  privatePage({ endpoint: 'GET /account', summary: 'Show the account page' }, accountPage),
  publicPage(
    { endpoint: 'GET /moderation', summary: 'Show the moderation page' },
    () => moderationPage(getPreviewUrl()),
    () => pagePolicy({ frames: getFrames() }),
  ),
  shellPage({
    endpoint: 'GET /api/docs',
    summary: 'Show the API reference',
    description: 'A page for reading this document and for sending requests.',
    access: 'public',
    render: apiReferencePage,
  }),
];
