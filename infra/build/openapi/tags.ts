import type { GroupName } from '../../../functions/routes.ts';
import { webhookGuide } from '../../../functions/web/docs/guides/webhooks.ts';

/** What each group of routes is for, in Markdown. */
export const tags: Readonly<Record<GroupName<'service'>, string>> = {
  auth: 'Registration, sign-in, sessions, API tokens and passwords. Signing in returns a short-lived access token and a refresh token, and sets the session cookie that the pages of this service use.\n\nAn API token acts for its owner in scripts. It can’t manage sessions, tokens or passwords.',
  users:
    'User accounts, roles and permissions. Each role grants a set of permissions; an account can have more.\n\nYou can only manage users up to your own rank, and only grant permissions that you have.',
  audit:
    'The audit log: who changed what, when and from where. Every operation with `x-audit` adds an entry of that action. Entries can’t be changed or deleted.',
  documents:
    'Text documents with folders, types and tags. A document is private, shared with up to 20 users, or visible to everyone with `documents:view`.\n\nDeleted documents stay in the trash for 30 days.',
  files:
    'Files and folders. Send files up to 4 MB through the API. For files up to 1 GB, request a presigned form, post the file straight to S3, and complete the upload.\n\nEach user has a storage quota.',
  messages:
    'Messages between users. Each recipient gets a copy; deleting yours leaves the others. Replies form conversations.',
  notifications:
    'Notifications about shared records, messages, calendar events and account changes. They are kept for 90 days.',
  calendar:
    'Events, meetings and tasks, with attendees, reminders and recurrence rules (RFC 5545). A secret feed URL lets calendar apps read your calendar.',
  sales:
    'Recorded sales, which the dashboard adds up. The service has one currency. Send an `externalId` to import a sale safely more than once.',
  dashboard:
    'Statistics of the whole service, and your own tasks and events of today. Days and months are those of UTC.',
  settings:
    'The configuration that the service runs with, for users with `settings:view`. It contains no secrets.',
  share:
    'HTML and Markdown snippets shared as pages. A share can have a password, a view limit and an expiry. Anyone can report a share; users with `shares:manage` moderate them.',
  markdown:
    'Conversion of Markdown (CommonMark with GitHub extensions) to a complete, safe HTML document. Nothing is stored.',
  checkin: 'The daily check-in, which earns points and counts a streak. A day is one of UTC.',
  apps: 'Connected apps: OAuth 2.1 for assistants that can’t be given an API token, and the apps that you have allowed.\n\nA token of an app opens `POST /mcp` and nothing else.',
  webhooks: webhookGuide,
  mcp: 'Tools for assistants, by the Model Context Protocol. Each tool is an operation of this API with its access, limits and errors.',
  health: 'A health check for load balancers and monitoring.',
  site: 'Pages for writing a snippet, for signing in and registering, for managing your shares, files and account, for the dashboard and for moderation. They contain no user data; their scripts call this API.',
  password:
    'The pages behind links in emails, which set a password or undo a change of the email address. They work without scripts.',
  'provider-sign-in':
    'The pages that lead to a provider, such as Google, and back. They work without scripts.',
  'share-page':
    'The pages of a share: its content, its source, and the forms that open and report it. They work without scripts.',
  'request-page':
    'Share requests: links by which people without an account hand content to a user, who gets it as private shares. Their page works without scripts.',
  assets: 'Styles, scripts and fonts of the pages. Each name contains a hash of the content.',
  docs: 'This OpenAPI document, and a page for reading it.',
};

/** What each group is called for people. */
export const tagTitles: Readonly<Record<GroupName<'service'>, string>> = {
  auth: 'Accounts',
  users: 'Users',
  audit: 'Audit log',
  documents: 'Documents',
  files: 'Files',
  messages: 'Messages',
  notifications: 'Notifications',
  calendar: 'Calendar',
  sales: 'Sales',
  dashboard: 'Dashboard',
  settings: 'Settings',
  share: 'Shares',
  markdown: 'Markdown',
  checkin: 'Check-in',
  apps: 'Connected apps',
  webhooks: 'Webhooks',
  mcp: 'Assistants',
  health: 'Health',
  site: 'Pages: console',
  password: 'Pages: passwords',
  'provider-sign-in': 'Pages: providers',
  'share-page': 'Pages: shares',
  'request-page': 'Share requests',
  assets: 'Pages: assets',
  docs: 'API reference',
};
