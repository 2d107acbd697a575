import { roles } from '../../../shared/permissions/permissions.ts';
import { parseSetting } from '../../../shared/runtime/settings.ts';
import { findNearest } from './nearest-name.ts';

/** Says what each role that isn't built in means to a setting. */
const describe = (names: readonly string[], say: (name: string) => string): string[] =>
  [...new Set(names)]
    .filter((name) => !roles.some((role) => role === name))
    .map((name) => {
      const nearest = findNearest(name, roles);
      return `${say(name)}${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
    });

/**
 * Returns a sentence for each role of MFA_REQUIRED_ROLES and ROLE_CLAIM that isn't built in. It may be a custom role, which only
 * the table knows, so it isn't refused.
 * @throws SettingError for a text that no role can be named by
 */
export const describeUnknownRoles = (
  values: Readonly<Record<string, string | undefined>>,
): string[] => {
  const claim = parseSetting('ROLE_CLAIM', values['ROLE_CLAIM']);
  const given = claim ? [...claim.roles.map(({ role }) => role), claim.otherwise] : [];
  return [
    ...describe(
      parseSetting('MFA_REQUIRED_ROLES', values['MFA_REQUIRED_ROLES']),
      (name) =>
        `MFA_REQUIRED_ROLES names ${name}, which isn’t a built-in role: it counts for a custom role of that name.`,
    ),
    ...describe(
      given,
      (name) =>
        `ROLE_CLAIM gives ${name}, which isn’t a built-in role: users get it where there is a custom role of that name.`,
    ),
  ];
};
