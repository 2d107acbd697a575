import { describe, expect, it } from 'vitest';
import { can, covers, permissions, roles } from '../../../shared/permissions/permissions.ts';
import {
  type CustomRole,
  type CustomRoles,
  getEffectivePermissions,
  getRank,
  getRoleGrants,
  isForCustomRoles,
  isReservedName,
  outranks,
  reaches,
  roleNamePattern,
} from '../../../shared/permissions/roles.ts';
import fc from '../../support/run/properties.ts';

const at = '2026-11-21T12:00:00.000Z';

const toRole = (name: string, held: readonly string[]): CustomRole => ({
  name,
  label: name,
  permissions: held,
  createdAt: at,
  updatedAt: at,
  version: 1,
});

const resources = [...new Set(permissions.map((one) => `${one.split(':')[0]}:*`))];
const Entries = fc.uniqueArray(fc.constantFrom<string>(...permissions, ...resources), {
  maxLength: 4,
});
const names = ['a1', 'b1', 'c1', 'd1'] as const;
const Custom = fc
  .tuple(Entries, Entries, Entries, Entries)
  .map(
    (all): NonNullable<CustomRoles> =>
      new Map(names.map((name, index) => [name, toRole(name, all[index] ?? [])])),
  );
const Name = fc.constantFrom<string>(...roles, ...names, 'gone');

describe('the rank of roles, whatever the custom ones grant', () => {
  it('is an order: of itself, and of what is between', () => {
    fc.assert(
      fc.property(Custom, Name, Name, Name, (custom, one, other, third) => {
        expect(reaches(one, one, custom)).toBe(true);
        if (reaches(one, other, custom) && reaches(other, third, custom)) {
          expect(reaches(one, third, custom)).toBe(true);
        }
        expect(outranks(one, other, custom) && outranks(other, one, custom)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('puts custom roles below admin and above user, and a deleted one below all', () => {
    fc.assert(
      fc.property(Custom, fc.constantFrom(...names), (custom, name) => {
        for (const above of ['super_admin', 'admin']) {
          expect(outranks(above, name, custom)).toBe(true);
        }
        for (const below of ['user', 'guest', 'gone']) {
          expect(outranks(name, below, custom)).toBe(true);
        }
        expect(outranks('guest', 'gone', custom)).toBe(true);
      }),
    );
  });

  it('lets a custom role reach another only if it grants all of it', () => {
    fc.assert(
      fc.property(Custom, fc.constantFrom(...names), fc.constantFrom(...names), (custom, a, b) => {
        const [own, others] = [getRoleGrants(a, custom), getRoleGrants(b, custom)];
        expect(reaches(a, b, custom)).toBe(others.every((entry) => covers(own, entry)));
        if (!reaches(a, b, custom)) return;
        for (const one of permissions) if (can(others, one)) expect(can(own, one)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing among the built-in ones', () => {
    fc.assert(
      fc.property(Custom, fc.constantFrom(...roles), fc.constantFrom(...roles), (custom, a, b) => {
        for (const known of [custom, undefined]) {
          expect(reaches(a, b, known)).toBe(roles.indexOf(a) <= roles.indexOf(b));
        }
      }),
    );
  });
});

describe('a custom role that was not read', () => {
  it('is an error, never a role without rights', () => {
    const holder = { role: 'support', extraPermissions: [] };
    for (const use of [
      () => getRoleGrants('support', undefined),
      () => getRank('support', undefined),
      () => getEffectivePermissions(holder, undefined),
      () => reaches('admin', 'support', undefined),
      () => reaches('support', 'guest', undefined),
    ]) {
      expect(use).toThrow('The custom roles were not read');
    }
  });

  it('grants nothing if it is known to be deleted', () => {
    const holder = { role: 'gone', extraPermissions: ['audit:view'] };
    expect(getEffectivePermissions(holder, new Map())).toEqual(['audit:view']);
  });
});

describe('names and entries of custom roles', () => {
  it('are never those of built-in ones, nor everything', () => {
    expect([...roles, 'all'].every(isReservedName)).toBe(true);
    expect(isReservedName('support')).toBe(false);
    expect(isForCustomRoles('*')).toBe(false);
    expect(permissions.every(isForCustomRoles)).toBe(true);
  });

  it('fit keys and addresses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        if (roleNamePattern.test(text)) expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });
});
