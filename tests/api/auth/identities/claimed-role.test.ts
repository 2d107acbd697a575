import { describe, expect, it, vi } from 'vitest';
import type { Identity } from '../../../../functions/api/auth/identities/identity.ts';
import * as users from '../../../../functions/api/users/record/users.ts';
import {
  acme,
  newIdentity,
  signedInAs,
  signInAs,
  useProviders,
} from '../../../support/identities/identities.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { useTable } from '../../../support/table/table.ts';
import { enrolTotp } from '../../../support/users/factors.ts';
import { newAccount, newVerified, setUser } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useProviders();

const map = 'groups engineering=admin, editors=no-such-role, staff=guest, *=user';

/** Signs in with values of the claim and returns the role. */
const roleOf = async (
  roleValues: Identity['roleValues'],
  identity = newIdentity(),
  setting = map,
): Promise<string> => {
  vi.stubEnv('ROLE_CLAIM', setting);
  return (await signedInAs({ ...identity, roleValues })).user.role;
};

/** Creates an account whose address is proven. */
const newOwner = (role: string) =>
  newAccount({ role, emailVerifiedAt: '2026-11-21T11:00:00.000Z' });

describe('ROLE_CLAIM', () => {
  it.each([
    [['engineering', 'staff'], 'admin'],
    [['staff'], 'guest'],
    [['editors', 'staff'], 'guest'],
    [['others'], 'user'],
    [[], 'user'],
  ])(
    'gives the values %j the role %s, to new accounts and at each sign-in',
    async (values, role) => {
      expect(await roleOf(values)).toBe(role);
      const identity = newIdentity();
      await roleOf(['engineering'], identity);
      expect(await roleOf(values, identity)).toBe(role);
    },
  );

  it('changes nothing for who has only proven an address of an account with a second factor', async () => {
    const { id, email, ...person } = await newVerified();
    await enrolTotp({ id, email, ...person });
    await setUser(id, { role: 'admin' });
    vi.stubEnv('ROLE_CLAIM', map);
    const outcome = await signInAs(newIdentity({ email, roleValues: ['staff'] }));
    expect([outcome.kind, (await users.get(id)).role]).toEqual(['second-step', 'admin']);
  });

  it('gives the role user if that of all others doesn’t exist', async () => {
    expect(await roleOf([], newIdentity(), 'groups x=admin, *=no-such-role')).toBe('user');
  });

  it('leaves the role as it is without the claim’s answer, and for an issuer of everyone', async () => {
    const identity = newIdentity();
    await roleOf(['engineering'], identity);
    expect(await roleOf(undefined, identity)).toBe('admin');
    const provider = { ...acme, isMultiTenant: true };
    expect(await roleOf(['staff'], { ...identity, provider })).toBe('admin');
    expect(await roleOf(['engineering'], newIdentity({ provider }))).toBe('user');
  });

  it('audits the change as one by the user’s sign-in', async () => {
    const { id, email } = await newOwner('user');
    await roleOf(['engineering'], newIdentity({ email }));
    const change = (await entriesAbout(`user:${id}`)).find(
      ({ action }) => action === 'user.update',
    );
    expect(change).toMatchObject({
      actorId: id,
      before: { role: 'user' },
      after: { role: 'admin', by: 'acme' },
    });
  });

  it('takes super_admin from all but the last active one', async () => {
    const [first, second] = [await newOwner('super_admin'), await newOwner('super_admin')];
    expect(await roleOf([], newIdentity({ email: first.email }))).toBe('user');
    const last = newIdentity({ email: second.email });
    expect(await roleOf([], last)).toBe('super_admin');
    expect(await roleOf([], last)).toBe('super_admin');
    expect((await users.get(second.id)).role).toBe('super_admin');
  });
});
