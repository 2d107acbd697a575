import type { Query } from '../lists/caller.ts';

/** A read of a list or sum, and the kinds of records that it covers. */
export interface Line {
  readonly name: string;
  readonly endpoint: string;
  readonly query?: Query;
  readonly params?: Readonly<Record<string, string>>;
}

const list = (endpoint: string, query?: Query, note?: string): Line => ({
  name: note === undefined ? endpoint : `${endpoint} (${note})`,
  endpoint,
  ...(query && { query }),
});

/** Returns every line of the budget that reads a list or sum, and further variants of lists. */
export const linesOf = (callerId: number): readonly Line[] => [
  list('GET /api/users', {}),
  list('GET /api/users', { sort: 'name' }, 'by name'),
  list('GET /api/users', { role: 'super_admin' }, 'of a role'),
  list('GET /api/documents', {}),
  list('GET /api/documents', { sort: 'title' }, 'by title'),
  list('GET /api/documents', { folder: 'Minutes' }, 'of a folder'),
  list('GET /api/documents', { search: 'quagga' }, 'found in all'),
  list('GET /api/documents/trash', {}),
  list('GET /api/files', {}),
  list('GET /api/files', { folder: '/', sort: 'name' }, 'of a folder'),
  list('GET /api/files', { type: 'document' }, 'of a type'),
  list('GET /api/files/usage'),
  list('GET /api/messages', {}),
  list('GET /api/messages', { unread: 'true' }, 'unread ones'),
  list('GET /api/messages/conversations', {}),
  list('GET /api/messages/unread-count'),
  list('GET /api/notifications', {}),
  list('GET /api/notifications', { unread: 'true' }, 'unread ones'),
  list('GET /api/notifications', { type: 'message' }, 'of a type'),
  list('GET /api/notifications/unread-count'),
  list('GET /api/calendar/events', { start: '2001-01-01', end: '2001-01-02' }),
  list('GET /api/dashboard/stats'),
  list('GET /api/dashboard/visits'),
  list('GET /api/dashboard/sales'),
  list('GET /api/dashboard/pie'),
  list('GET /api/dashboard/tasks'),
  list('GET /api/dashboard/calendar'),
  list('GET /api/sales', {}),
  list('GET /api/sales', { category: 'Books' }, 'of a category'),
  list('GET /api/share', { mine: 'true' }, 'own ones'),
  list('GET /api/share/summary'),
  list('GET /api/shares', {}),
  list('GET /api/audit', {}),
  list('GET /api/audit', { actor: String(callerId) }, 'of one actor'),
  list('GET /api/audit', { subject: `user:${callerId}` }, 'about one subject'),
];
