import { roleNamePattern } from './roles.ts';

/** Which role the values of a claim give (decisions.md#providers). */
export interface RoleClaim {
  /** The name of the claim, or a path of names with dots, such as `realm_access.roles`. */
  readonly claim: string;
  /** In order: the first whose value someone has gives the role. */
  readonly roles: readonly { readonly value: string; readonly role: string }[];
  /** The role of everyone else. */
  readonly otherwise: string;
}

/** The value that everyone has. */
const anyone = '*';

const maxEntries = 50;

const parseEntry = (entry: string): { readonly value: string; readonly role: string } => {
  const at = entry.lastIndexOf('=');
  return { value: entry.slice(0, Math.max(at, 0)).trim(), role: entry.slice(at + 1).trim() };
};

const isGivable = ({ value, role }: ReturnType<typeof parseEntry>): boolean =>
  value !== '' && roleNamePattern.test(role) && role !== 'super_admin';

/**
 * Parses the setting ROLE_CLAIM, such as `groups engineering=admin, staff=user, *=guest`; `undefined` without one, and `null` if
 * it is invalid. Values can have spaces, but no comma. The role of custom roles is checked when it is given.
 */
export const readRoleClaim = (text: string): RoleClaim | undefined | null => {
  if (text.trim() === '') return undefined;
  const [, claim = '', map = ''] = /^\s*(\S+)\s+(.+)$/s.exec(text) ?? [];
  const entries = map.split(',').map(parseEntry);
  if (claim === '' || entries.length > maxEntries || !entries.every(isGivable)) return null;
  const roles = entries.filter(({ value }) => value !== anyone);
  return { claim, roles, otherwise: entries.find(({ value }) => value === anyone)?.role ?? 'user' };
};

/** Writes the setting as text that `readRoleClaim` reads; `null` without one. */
export const writeRoleClaim = (claim: RoleClaim | undefined | null): string | null => {
  if (!claim) return null;
  const entries = [...claim.roles, { value: anyone, role: claim.otherwise }];
  return `${claim.claim} ${entries.map(({ value, role }) => `${value}=${role}`).join(', ')}`;
};
