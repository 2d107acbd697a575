import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  isIncomplete,
  toIdentity,
} from '../../../functions/web/provider-sign-in/protocol/claims.ts';
import type { Provider } from '../../../shared/runtime/provider-settings.ts';

const acme: Provider = {
  name: 'acme',
  issuer: 'https://id.acme.example',
  clientId: 'handbill',
  label: 'Acme',
  provesAll: false,
  isMultiTenant: false,
};
const microsoft = (tenant: string, isMultiTenant: boolean): Provider => ({
  ...acme,
  name: 'microsoft',
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  isMultiTenant,
});

afterEach(() => void vi.unstubAllEnvs());

const emailOf = (provider: Provider, ...claims: Parameters<typeof toIdentity>[1][]) => {
  const [first = {}, ...others] = claims;
  const { email, isEmailProven } = toIdentity(provider, { sub: '1', ...first }, others);
  return [email, isEmailProven];
};

describe('the address of an identity', () => {
  it.each<[string, Parameters<typeof toIdentity>[1], unknown[]]>([
    ['proven', { email: 'Ann@Example.com', email_verified: true }, ['ann@example.com', true]],
    [
      'proven, as text',
      { email: 'ann@example.com', email_verified: 'true' },
      ['ann@example.com', true],
    ],
    ['not proven', { email: 'ann@example.com', email_verified: false }, ['ann@example.com', false]],
    ['of which nothing is said', { email: 'ann@example.com' }, ['ann@example.com', false]],
    ['none', {}, [undefined, false]],
    ['no address', { email: 'ann', email_verified: true }, [undefined, false]],
    ['a list', { email: ['ann@example.com'], email_verified: true }, [undefined, false]],
  ])('is %s', (_, claims, expected) => {
    expect(emailOf(acme, claims)).toEqual(expected);
  });

  it('is proven by the setting of all addresses', () => {
    expect(emailOf({ ...acme, provesAll: true }, { email: 'ann@example.com' })).toEqual([
      'ann@example.com',
      true,
    ]);
  });

  it('is not proven by what is said of another address', () => {
    expect(
      emailOf(
        acme,
        { email: 'boss@example.com', email_verified: false },
        { email: 'ann@example.com', email_verified: true },
      ),
    ).toEqual(['boss@example.com', false]);
  });

  it('is proven by Microsoft only if the tenant owns the domain', () => {
    const common = microsoft('common', true);
    const said = { email: 'ann@example.com', email_verified: true };
    expect(emailOf(common, said)).toEqual(['ann@example.com', false]);
    expect(emailOf(common, { ...said, xms_edov: '1' })).toEqual(['ann@example.com', true]);
    expect(emailOf(common, { ...said, xms_edov: false })).toEqual(['ann@example.com', false]);
  });
});

describe('the subject of an identity', () => {
  it('names the tenant where an issuer is that of many', () => {
    const claims = { sub: 'abc', tid: 't1', iss: 'https://login.microsoftonline.com/t1/v2.0' };
    expect(toIdentity(microsoft('common', true), claims).subject).toBe('t1.abc');
    expect(toIdentity(microsoft('t1', false), claims).subject).toBe('abc');
  });
});

describe('the role values of an identity', () => {
  const valuesOf = (claims: object, provider = acme, claim = 'groups') => {
    vi.stubEnv('ROLE_CLAIM', `${claim} staff=user`);
    return toIdentity(provider, { sub: '1', ...claims }).roleValues;
  };

  it.each<[unknown, string[]]>([
    [
      ['a', 'b', 3],
      ['a', 'b', '3'],
    ],
    ['a', ['a']],
    [{ a: 1 }, []],
    [undefined, []],
    [null, []],
  ])('of %j are %j', (groups, expected) => {
    expect(valuesOf({ groups })).toEqual(expected);
  });

  it('are found by a path, or by a name that looks like one', () => {
    const path = { realm_access: { roles: ['a'] } };
    expect(valuesOf(path, acme, 'realm_access.roles')).toEqual(['a']);
    const name = { 'https://acme.example/roles': ['b'] };
    expect(valuesOf(name, acme, 'https://acme.example/roles')).toEqual(['b']);
    expect(valuesOf({}, acme, '__proto__.constructor')).toEqual([]);
  });

  it('are unknown if the issuer leaves them out, or is that of many', () => {
    expect(valuesOf({ _claim_names: { groups: 'src1' } })).toBeUndefined();
    expect(valuesOf({ groups: ['a'] }, { ...acme, isMultiTenant: true })).toBeUndefined();
  });

  it('are unknown without ROLE_CLAIM', () => {
    expect(toIdentity(acme, { sub: '1', groups: ['a'] }).roleValues).toBeUndefined();
  });
});

describe('an ID token', () => {
  const complete = { sub: '1', email: 'ann@example.com', email_verified: false };

  it('is complete with an address and what the issuer says of it', () => {
    expect(isIncomplete(acme, complete)).toBe(false);
    expect(isIncomplete(acme, { ...complete, email_verified: undefined })).toBe(true);
    expect(isIncomplete(acme, { ...complete, email: undefined })).toBe(true);
  });

  it('lacks the claim that gives roles, unless it is left out for good', () => {
    vi.stubEnv('ROLE_CLAIM', 'groups staff=user');
    expect(isIncomplete(acme, complete)).toBe(true);
    expect(isIncomplete(acme, { ...complete, groups: [] })).toBe(false);
    expect(isIncomplete(acme, { ...complete, _claim_names: { groups: 'src1' } })).toBe(false);
  });
});
