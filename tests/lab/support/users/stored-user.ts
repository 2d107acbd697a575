import { userKeys } from '../../../../shared/auth/keys.ts';

/** Creates the item of an active user, with no more than groups read of another group's user. */
export const storedUser = (id: number) => ({
  ...userKeys.record.at({ id }),
  id,
  name: `No. ${id}`,
  role: 'user',
  status: 'active',
});
