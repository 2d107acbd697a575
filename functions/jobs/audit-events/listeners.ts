import { readCustomRoles } from '../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { isActive, parseUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { getEffectivePermissions, isBuiltIn } from '../../../shared/permissions/roles.ts';

/** The names of the audit that the active webhooks of each user want. */
export type Listeners = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads who wants what from the items `webhookKeys.ofAudit`. */
export const toListeners = (items: readonly Item[]): Listeners => {
  const listeners = new Map<number, Set<string>>();
  for (const { userId, events } of items) {
    const known = listeners.get(userId as number) ?? new Set();
    for (const name of events as readonly string[]) known.add(name);
    listeners.set(userId as number, known);
  }
  return listeners;
};

/** Keeps the users who are active and may still manage webhooks: who lost that right gets nothing. */
export const keepEntitled = async (listeners: Listeners): Promise<Listeners> => {
  if (listeners.size === 0) return listeners;
  const items = await batchGet(
    [...listeners.keys()].map((id) => userKeys.record.at({ id })),
    { isEventual: true },
  );
  const users = items.flatMap((item) => (item ? [parseUser(item)] : []));
  const roles = users.every(({ role }) => isBuiltIn(role)) ? undefined : await readCustomRoles();
  const entitled = users.filter(
    (user) => isActive(user) && can(getEffectivePermissions(user, roles), 'webhooks:manage'),
  );
  return new Map(
    entitled.flatMap(({ id }) => {
      const names = listeners.get(id);
      return names ? [[id, names] as const] : [];
    }),
  );
};
