import { describe, expect, it } from 'vitest';
import {
  can,
  type Permission,
  permissions,
  roleGrants,
  roles,
} from '../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../shared/permissions/roles.ts';
import fc from '../../support/run/properties.ts';

const granted = (...held: string[]): string[] =>
  permissions.filter((permission) => can(held, permission));

const ofUsers = ['users:view', 'users:create', 'users:update', 'users:delete', 'users:export'];

describe('a held permission', () => {
  it('of * grants every permission', () => {
    expect(granted('*')).toEqual([...permissions]);
  });

  it('of a resource and * grants what starts with the resource and its colon', () => {
    expect(granted('users:*')).toEqual(ofUsers);
    expect(can(['users:*'], 'users:view:all' as Permission)).toBe(true);
    expect(can(['users:*'], 'users:' as Permission)).toBe(true);
    expect(can(['users:*'], 'users' as Permission)).toBe(false);
    expect(can(['users:*'], 'usersx:view' as Permission)).toBe(false);
  });

  it.each(permissions)('of %s grants only itself', (permission) => {
    expect(granted(permission)).toEqual([permission]);
  });

  it.each([
    '*:view',
    '**',
    '*:*',
    'users',
    'users:',
    'user:*',
    'Users:*',
    'USERS:VIEW',
    'users*',
    'users:v*',
    'users:*:view',
    'users:view:*',
    ' users:view',
    'users:view ',
    'users:view,users:create',
    '^users:.*$',
    ':*',
    ':',
    '',
  ])('of %j grants only its equal', (held) => {
    expect(granted(held)).toEqual([]);
    expect(can([held], held as Permission)).toBe(true);
  });

  it('adds to others in any order and number', () => {
    expect(granted('files:view', '', 'users:*', 'files:view')).toEqual([...ofUsers, 'files:view']);
  });
});

describe('holding none', () => {
  it('grants nothing', () => {
    expect(granted()).toEqual([]);
  });
});

describe('a role', () => {
  it('is ordered by rank, highest first', () => {
    expect(roles).toEqual(['super_admin', 'admin', 'user', 'guest']);
  });

  it('grants the reviewed permissions', () => {
    expect(roleGrants).toMatchInlineSnapshot(`
      {
        "admin": [
          "users:*",
          "documents:*",
          "files:*",
          "messages:*",
          "calendar:*",
        ],
        "guest": [
          "dashboard:view",
        ],
        "super_admin": [
          "*",
        ],
        "user": [
          "documents:view",
          "files:view",
          "messages:view",
          "calendar:view",
        ],
      }
    `);
  });

  it('allows what follows from the table', () => {
    const allowed = Object.fromEntries(roles.map((role) => [role, granted(...roleGrants[role])]));
    expect(allowed['super_admin']).toEqual([...permissions]);
    expect(allowed).toMatchObject({ guest: ['dashboard:view'] });
    expect(permissions.filter((one) => !allowed['admin']?.includes(one))).toMatchInlineSnapshot(`
      [
        "dashboard:view",
        "shares:manage",
        "shares:export",
        "sales:view",
        "sales:create",
        "sales:update",
        "sales:delete",
        "sales:export",
        "audit:view",
        "audit:export",
        "settings:view",
        "settings:update",
        "jobs:manage",
        "roles:manage",
        "webhooks:manage",
      ]
    `);
    expect(allowed['user']).toMatchInlineSnapshot(`
      [
        "documents:view",
        "files:view",
        "calendar:view",
        "messages:view",
      ]
    `);
  });
});

describe('getEffectivePermissions', () => {
  const of = (role: string, extraPermissions: readonly string[]) =>
    getEffectivePermissions({ role, extraPermissions }, undefined);

  it('returns the role’s, then the user’s own', () => {
    expect(of('guest', ['audit:view', 'sales:view'])).toEqual([
      'dashboard:view',
      'audit:view',
      'sales:view',
    ]);
  });

  it('returns each entry once', () => {
    expect(of('guest', ['dashboard:view', 'audit:view', 'audit:view'])).toEqual([
      'dashboard:view',
      'audit:view',
    ]);
  });

  it.each(roles)('of the role %s alone are its grants, as a list of their own', (role) => {
    const effective = of(role, []);
    expect(effective).toEqual(roleGrants[role]);
    expect(effective).not.toBe(roleGrants[role]);
  });
});

describe('for any entries', () => {
  /** The four rules of the document, one after the other, as it words them. */
  const literally = (held: readonly string[], wanted: string): boolean => {
    for (const entry of held) {
      if (entry === '*') return true;
      const resource = /^(?<resource>.*):\*$/s.exec(entry)?.groups?.['resource'];
      if (resource !== undefined && wanted.indexOf(`${resource}:`) === 0) return true;
      if (entry === wanted) return true;
    }
    return false;
  };

  const part = fc.constantFrom('users', 'user', 'Users', 'files', 'view', '*', '**', '', 'VIEW');
  const entry = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(':')),
    fc.constantFrom<string>(...permissions, '*', 'users:*', ' users:*', 'users:* ', '*:view'),
    fc.string({ unit: fc.constantFrom('u', 's', ':', '*', '.', '\n', 'é'), maxLength: 6 }),
  );

  it('the matcher says what the rules say', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), entry, (held, wanted) => {
        expect(can(held, wanted as Permission)).toBe(literally(held, wanted));
      }),
      { numRuns: 1_000 },
    );
  });

  it('one that is neither * nor ends with :* grants its equal alone', () => {
    const plain = entry.filter((one) => one !== '*' && !one.endsWith(':*'));
    fc.assert(
      fc.property(plain, entry, (held, wanted) => {
        expect(can([held], wanted as Permission)).toBe(held === wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('more entries never grant less, and their order changes nothing', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), entry, (some, more, wanted) => {
        const all = [...some, ...more];
        if (can(some, wanted as Permission)) expect(can(all, wanted as Permission)).toBe(true);
        expect(can(all.toReversed(), wanted as Permission)).toBe(can(all, wanted as Permission));
      }),
    );
  });
});
