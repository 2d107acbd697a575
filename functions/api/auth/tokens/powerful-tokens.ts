import type { Ceiling } from '../../../../shared/auth/actor.ts';
import { permissions as all, can } from '../../../../shared/permissions/permissions.ts';
import { canPublish, getPermissionEntries } from '../../../../shared/permissions/scopes.ts';

/** How long a token can last without making it powerful. */
export const maxDays = 90;

/** Those that change users or their roles, or the records of everyone. */
const powerful = all.filter(
  (permission) =>
    permission.endsWith(':manage') ||
    (permission.startsWith('users:') && permission !== 'users:view'),
);

/** The fields of an API token that say what it may and for how long. */
export interface TokenPower {
  readonly permissions?: readonly string[] | undefined;
  readonly ceiling?: Ceiling | undefined;
  readonly expiresInDays?: number | undefined;
}

/** Neither an audience nor a number of views bounds how much is published or for how long. */
const isBounding = (ceiling: Ceiling | undefined): boolean =>
  ceiling?.maxAge !== undefined || ceiling?.sharesPerDay !== undefined;

/**
 * Returns what makes an API token or a connected app worth stealing a session for, as a sentence about it; `undefined` if nothing
 * does (decisions.md#tokens). `subject` is what the sentence calls it.
 */
export const describePower = (
  { permissions, ceiling, expiresInDays }: TokenPower,
  subject: 'The token' | 'The app' = 'The token',
): string | undefined => {
  if (expiresInDays === undefined) return `${subject} has no end.`;
  if (expiresInDays > maxDays) return `${subject} lasts more than ${maxDays} days.`;
  if (permissions === undefined) return 'Without `permissions`, the token may do all that you may.';
  const held = getPermissionEntries(permissions);
  const found = powerful.find((permission) => can(held, permission));
  if (found !== undefined) return `${subject} has ${found}.`;
  return canPublish(permissions) && !isBounding(ceiling)
    ? `${subject} may publish without a ceiling of \`maxAge\` or \`sharesPerDay\`.`
    : undefined;
};
