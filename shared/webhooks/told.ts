import type { StoredUser } from '../auth/user.ts';

/** The user whom an event is told: only what was read of them anyway. */
export type Told = Pick<StoredUser, 'id' | 'status' | 'deletesAt' | 'webhookEvents'>;

/** Returns what events need of a user, without the rest of the record. */
export const toTold = ({ id, status, deletesAt, webhookEvents }: StoredUser): Told => ({
  id,
  status,
  ...(deletesAt !== undefined && { deletesAt }),
  ...(webhookEvents && { webhookEvents }),
});
