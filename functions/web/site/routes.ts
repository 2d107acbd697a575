import * as z from 'zod';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { leavingRoute } from './account/leaving-route.ts';
import { accountPage } from './account/page.ts';
import { signInRoutes } from './account/sign-in-routes.ts';
import { verifyRoute } from './account/verify-route.ts';
import { auditPage } from './audit/page.ts';
import { authorizeRoute } from './authorize-route.ts';
import { calendarPage } from './calendar/page.ts';
import { composerPage } from './composer/page.ts';
import { dashboardPage } from './dashboard/page.ts';
import { documentPage } from './document-editor/page.ts';
import { documentsPage } from './document-list/page.ts';
import { enrolRoute } from './enrol-route.ts';
import { filesPage } from './files/page.ts';
import { uploadUrl } from './files/upload-url.ts';
import { messagesPage } from './messages/page.ts';
import { moderationPage } from './moderation/page.ts';
import { notificationsPage } from './notifications/page.ts';
import { salesPage } from './sales/page.ts';
import { settingsPage } from './settings/page.ts';
import { sharesPage } from './shares/page.ts';
import { shellPage } from './shell-page.ts';
import { usersPage } from './users/page.ts';

const getFrames = (): string => getSetting('SNIPPETS_URL');
const getPreviewUrl = (): string => `${getFrames()}/preview`;

/** The routes of the site. Its pages load their data from the API. */
export const routes = [
  shellPage({
    endpoint: 'GET /',
    summary: 'Show the composer page',
    description:
      'The page for writing a share. With the query parameter `edit`, it edits the share with that id; with `duplicate`, it begins as a copy of it.',
    access: 'public',
    render: (session, target, onApple) =>
      composerPage(getPreviewUrl(), session, {
        onApple,
        isEdit: /[?&]edit=/.test(target),
        isCopy: /[?&]duplicate=/.test(target),
      }),
    // It shows files of a share, sends them to the bucket, and reads those that are stored.
    getSources: () => ({
      frames: getFrames(),
      anyImages: true,
      blobs: true,
      connects: `${uploadUrl()} ${getFrames()}`,
    }),
  }),
  shellPage({
    endpoint: 'GET /shares',
    summary: 'Show your shares page',
    access: 'signed-in',
    render: sharesPage,
  }),
  shellPage({
    endpoint: 'GET /documents',
    summary: 'Show the documents page',
    access: 'documents:view',
    render: documentsPage,
  }),
  shellPage({
    endpoint: 'GET /documents/{id}',
    summary: 'Show the page of one document',
    params: z.object({ id: z.string().meta({ description: 'The id of the document.' }) }),
    access: 'documents:view',
    render: () => documentPage(getPreviewUrl()),
    getSources: () => ({ frames: getFrames() }),
  }),
  shellPage({
    endpoint: 'GET /messages',
    summary: 'Show the messages page',
    access: 'messages:view',
    render: messagesPage,
    getSources: () => ({ connects: uploadUrl() }),
  }),
  shellPage({
    endpoint: 'GET /calendar',
    summary: 'Show the calendar page',
    access: 'calendar:view',
    render: calendarPage,
  }),
  shellPage({
    endpoint: 'GET /notifications',
    summary: 'Show the notifications page',
    access: 'signed-in',
    render: notificationsPage,
  }),
  shellPage({
    endpoint: 'GET /files',
    summary: 'Show the files page',
    access: 'files:view',
    render: filesPage,
    // It may send files to the bucket, too, show what is there, and nothing beside it.
    getSources: () => ({ connects: uploadUrl(), media: new URL(uploadUrl()).origin }),
  }),
  shellPage({
    endpoint: 'GET /dashboard',
    summary: 'Show the dashboard page',
    description: 'The query parameter `view=service` shows figures of the whole service.',
    access: 'signed-in',
    render: (session) => dashboardPage(getSetting('CURRENCY'), session),
  }),
  shellPage({
    endpoint: 'GET /sales',
    summary: 'Show the sales page',
    access: 'sales:view',
    render: (session) => salesPage(getSetting('CURRENCY'), session),
  }),
  ...signInRoutes,
  verifyRoute,
  enrolRoute,
  leavingRoute,
  authorizeRoute,
  shellPage({
    endpoint: 'GET /account',
    summary: 'Show the account page',
    description:
      'The query parameter `tab` chooses `profile`, `security`, `sessions`, `tokens` or `check-in`.',
    access: 'signed-in',
    render: (_, target) => accountPage(target),
  }),
  shellPage({
    endpoint: 'GET /users',
    summary: 'Show the users page',
    access: 'users:view',
    render: usersPage,
  }),
  shellPage({
    endpoint: 'GET /moderation',
    summary: 'Show the moderation page',
    access: 'shares:manage',
    render: () => moderationPage(getPreviewUrl()),
    getSources: () => ({ frames: getFrames() }),
  }),
  shellPage({
    endpoint: 'GET /audit',
    summary: 'Show the audit log page',
    access: 'audit:view',
    render: auditPage,
  }),
  shellPage({
    endpoint: 'GET /settings',
    summary: 'Show the settings page',
    access: 'settings:view',
    render: settingsPage,
  }),
];
