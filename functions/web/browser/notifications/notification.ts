import type { Item } from '../client/endpoints.ts';

/** A notification as the API lists it. */
export type Notification = Item<'GET /api/notifications'>;
