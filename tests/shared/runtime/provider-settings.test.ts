import { describe, expect, it, vi } from 'vitest';
import {
  assertProviderSetting,
  findProvider,
  findProviderOf,
  parseProviders,
  readProviderSetting,
} from '../../../shared/runtime/provider-settings.ts';

const google = {
  OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
  OIDC_GOOGLE_CLIENT_ID: 'client',
};

const withIssuer = (issuer: string) =>
  parseProviders({ OIDC_X_ISSUER: issuer, OIDC_X_CLIENT_ID: 'client' })[0];

describe('providers', () => {
  it('are read from settings, in the order of their names', () => {
    const values = {
      OIDC_WORK2_ISSUER: 'https://id.example.com/realms/work',
      OIDC_WORK2_CLIENT_ID: 'handbill',
      OIDC_WORK2_LABEL: 'Example & Sons',
      OIDC_WORK2_EMAILS: 'proven',
      OIDC_GITHUB_ISSUER: 'https://github.com/',
      OIDC_GITHUB_CLIENT_ID: 'Iv1.abc',
      OIDC_OLD_ISSUER: '',
      OIDC_OLD_CLIENT_ID: undefined,
      PATH: '/bin',
      ...google,
    };
    expect(parseProviders(values)).toEqual([
      {
        name: 'github',
        label: 'GitHub',
        issuer: 'https://github.com',
        clientId: 'Iv1.abc',
        provesAll: false,
        isMultiTenant: true,
      },
      {
        name: 'google',
        label: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: 'client',
        provesAll: false,
        isMultiTenant: true,
      },
      {
        name: 'work2',
        label: 'Example & Sons',
        issuer: 'https://id.example.com/realms/work',
        clientId: 'handbill',
        provesAll: true,
        isMultiTenant: false,
      },
    ]);
    expect(parseProviders({ PATH: '/bin' })).toEqual([]);
  });

  it('are found by name and by issuer', () => {
    for (const [name, value] of Object.entries(google)) vi.stubEnv(name, value);
    expect(findProvider('google')).toMatchObject({ name: 'google', clientId: 'client' });
    expect(findProvider('google')).toEqual(findProviderOf('https://accounts.google.com'));
    expect(findProvider('GOOGLE')).toBeUndefined();
    vi.unstubAllEnvs();
  });

  it.each([
    ['https://login.microsoftonline.com/common/v2.0', true],
    ['https://login.microsoftonline.com/organizations/v2.0/', true],
    ['https://login.microsoftonline.com/consumers/v2.0', true],
    ['https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0', false],
    ['https://gitlab.com', true],
    ['https://gitlab.example.com', false],
    ['http://localhost:4000', false],
  ])('know whether an issuer is everyone’s: %s %s', (issuer, isMultiTenant) => {
    expect(withIssuer(issuer)).toMatchObject({ isMultiTenant });
  });

  it.each([
    'http://id.example.com',
    'id.example.com',
    'https://id.example.com?tenant=1',
    'https://id.example.com#a',
    'https://user@id.example.com',
    'javascript:alert(1)',
  ])('have no issuer such as %s', (issuer) => {
    expect(() => withIssuer(issuer)).toThrow(/^Set OIDC_X_ISSUER to the https address/);
  });

  it.each([
    ['OIDC_X_CLIENT_ID', 'a\nb'],
    ['OIDC_X_LABEL', 'x'.repeat(41)],
    ['OIDC_X_EMAILS', 'yes'],
    ['OIDC_X_CLIENT_SECRET', `geheim\n${'x'.repeat(9)}`],
  ])('refuse an invalid %s, and never show it', (name, value) => {
    const refuse = () => assertProviderSetting(name, value);
    expect(refuse).toThrow(new RegExp(`^Set ${name} to `));
    expect(refuse).not.toThrow(value.slice(0, 6) === 'geheim' ? /geheim/ : /\n/);
    const all = { OIDC_X_ISSUER: 'https://id.example.com', OIDC_X_CLIENT_ID: 'a', [name]: value };
    expect(() => parseProviders(all)).toThrow(new RegExp(`^Set ${name} to `));
  });
});

it.each([
  ['OIDC_GOOGLE_ISSUER', { provider: 'GOOGLE', part: 'ISSUER' }],
  ['OIDC_A1_CLIENT_SECRET', { provider: 'A1', part: 'CLIENT_SECRET' }],
  ['OIDC_google_ISSUER', undefined],
  ['OIDC_1A_ISSUER', undefined],
  ['OIDC_A_B_ISSUER', undefined],
  ['OIDC_ISSUER', undefined],
  [`OIDC_${'A'.repeat(21)}_ISSUER`, undefined],
])('%s is read as the setting of a provider: %j', (name, setting) => {
  expect(readProviderSetting(name)).toEqual(setting);
});
