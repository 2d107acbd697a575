import { computed } from '@preact/signals';
import { roleGrants, roleLabels, roles } from '../../../../../../shared/permissions/permissions.ts';
import {
  getRank,
  getRoleGrants,
  getRoleLabel,
} from '../../../../../../shared/permissions/roles.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { formatList } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { expandPermissions } from '../../../../browser/people/entries.ts';
import { permissionTexts } from '../../../../browser/people/permission-texts.ts';
import { api } from '../../../../browser/shell/api.ts';
import { usersTexts as texts } from '../../texts.ts';

export type Role = Data<'GET /api/roles'>[number];

/** All roles, from the highest rank to the lowest. */
export const roleSource = createSource(() => api.call('GET /api/roles'));

/** Those that need no request. */
const builtIn: readonly Role[] = roles.map((name) => ({
  id: name,
  name,
  label: roleLabels[name],
  permissions: [...roleGrants[name]],
  builtIn: true,
  rank: getRank(name, undefined),
  users: null,
  createdAt: null,
  updatedAt: null,
  version: null,
}));

/** The roles as far as they are known: the built-in ones until all are loaded. */
export const allRoles = computed<readonly Role[]>(() => roleSource.data.value ?? builtIn);

/** The custom roles by name. */
export const customRoles = computed<ReadonlyMap<string, Role>>(
  () => new Map(allRoles.value.flatMap((role) => (role.builtIn ? [] : [[role.name, role]]))),
);

/** Returns what a role is called. */
export const labelOf = (name: string): string => getRoleLabel(name, customRoles.value);

/** Returns what a role grants. */
export const grantsOf = (name: string): readonly string[] => getRoleGrants(name, customRoles.value);

/** Says in a line what a role is for. */
export const describeRole = ({ name, permissions }: Role): string => {
  if (Object.hasOwn(texts.roles, name)) return texts.roles[name as keyof typeof texts.roles];
  const areas = new Set([...expandPermissions(permissions)].map((entry) => entry.split(':')[0]));
  const names = [...areas].map(
    (area) => permissionTexts.areas[area as keyof typeof permissionTexts.areas],
  );
  return names.length === 0 ? texts.mayNothing : formatList(names);
};

/** Shows a role as it was saved. */
export const showRole = (saved: Role): void => {
  roleSource.data.value = allRoles.value.map((role) => (role.name === saved.name ? saved : role));
};
