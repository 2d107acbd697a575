import type { PageState } from '../page-state.ts';

/** The pages of the site. */
export const siteStates: readonly PageState[] = [
  { name: 'composer', path: '/', as: 'mei' },
  { name: 'composer-signed-out', path: '/' },
  { name: 'shares', path: '/shares', as: 'luca' },
  { name: 'shares-empty', path: '/shares', as: 'tomas' },
  { name: 'files', path: '/files', as: 'mei' },
  { name: 'dashboard', path: '/dashboard', as: 'mei' },
  { name: 'dashboard-service', path: '/dashboard?view=service', as: 'nadia' },
  { name: 'moderation', path: '/moderation', as: 'ivy' },
  { name: 'not-found', route: '', path: '/nothing-here', status: 404 },
];
