import { afterEach, expect, it, vi } from 'vitest';
import { printIgnored } from '../../../infra/commands/settings/environment.ts';
import { findMistyped } from '../../../infra/local/mistyped.ts';
import { findNearestProviderSetting } from '../../../infra/stack/settings/provider-values.ts';
import { describeUnknownRoles } from '../../../infra/stack/settings/required-roles.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('finds settings with a typing error in the environment of npm start, and nothing else', () => {
  const env = {
    REGISTRATON: 'closed',
    MAIL_FORM: 'a@b.test',
    REGISTRATION: 'closed',
    ...{ PATH: '/bin', PORTS: '1', HOSTNAME: 'a', LOGNAME: 'b', DISPLAY: ':0', NODE_ENV: 'x' },
    ...{ EDITOR: 'vi', COLORTERM: 'c', TERM_PROGRAM: 't', npm_package_version: '1' },
    ...{ AWS_REGION: 'r', AWS_PROFILE: 'p', AWS_SESSION_TOKEN: 't', SSH_AUTH_SOCK: 's' },
  };
  expect(findMistyped(env)).toEqual([
    'Unknown setting REGISTRATON. Did you mean REGISTRATION?',
    'Unknown setting MAIL_FORM. Did you mean MAIL_FROM?',
  ]);
});

it('says which required roles are not built in, with the role that was probably meant', () => {
  expect(describeUnknownRoles({})).toEqual([]);
  expect(describeUnknownRoles({ MFA_REQUIRED_ROLES: 'super_admin,admin' })).toEqual([]);
  expect(describeUnknownRoles({ MFA_REQUIRED_ROLES: 'superadmin, editors' })).toEqual([
    'MFA_REQUIRED_ROLES names superadmin, which isn’t a built-in role: it counts for a custom role of that name. Did you mean super_admin?',
    'MFA_REQUIRED_ROLES names editors, which isn’t a built-in role: it counts for a custom role of that name.',
  ]);
});

it('says which roles of a claim are not built in, each once', () => {
  expect(
    describeUnknownRoles({ ROLE_CLAIM: 'groups a=admin, b=editors, c=editors, *=gest' }),
  ).toEqual([
    'ROLE_CLAIM gives editors, which isn’t a built-in role: users get it where there is a custom role of that name.',
    'ROLE_CLAIM gives gest, which isn’t a built-in role: users get it where there is a custom role of that name. Did you mean guest?',
  ]);
});

it.each([
  ['OIDC_GOOGLE_CLIENTID', 'OIDC_GOOGLE_CLIENT_ID'],
  ['OIDC_GOOGLE_ISUER', 'OIDC_GOOGLE_ISSUER'],
  ['OICD_GOOGLE_ISSUER', 'OIDC_GOOGLE_ISSUER'],
  ['ODC_GOOGLE_ISSUER', 'OIDC_GOOGLE_ISSUER'],
  ['OIDC_MY_COMPANY_LABEL', 'OIDC_MYCOMPANY_LABEL'],
  ['OIDC_GOOGLE_SECRET', 'OIDC_GOOGLE_CLIENT_SECRET'],
  ['oidc-google-email', 'OIDC_GOOGLE_EMAILS'],
  ['OIDC_TOKEN', undefined],
  ['OIDC_GOOGLE_SCOPES', undefined],
  ['MY_GOOGLE_ISSUER', undefined],
])('finds the setting of a provider that %s was meant to be', (name, nearest) => {
  expect(findNearestProviderSetting(name)).toBe(nearest);
});

it('finds mistyped settings of providers in the environment of npm start', () => {
  expect(
    findMistyped({ OIDC_GOOGLE_ISSUER: 'a', OIDC_GOOGLE_CLIENT_SECRET: 'b', OIDC_GOOGLE_ID: 'c' }),
  ).toEqual(['Unknown setting OIDC_GOOGLE_ID. Did you mean OIDC_GOOGLE_CLIENT_ID?']);
});

it('says that a deployment reads no environment variables', () => {
  let problems = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    problems += text;
    return true;
  });
  printIgnored({ REGISTRATION: 'closed', PATH: '/bin', MAIL_RATE: '' }, []);
  expect(problems).toBe(
    'A deployment doesn’t read environment variables: REGISTRATION. Pass -c REGISTRATION=<value>, or write it into handbill.json.\n',
  );
  problems = '';
  printIgnored({ OIDC_GOOGLE_ISSUER: 'a', OIDC_GOOGLE_CLIENT_SECRET: 'b' }, []);
  expect(problems).toBe(
    'A deployment doesn’t read environment variables: OIDC_GOOGLE_ISSUER. Pass -c OIDC_GOOGLE_ISSUER=<value>, or write it into handbill.json.\n',
  );
  problems = '';
  printIgnored({ REGISTRATION: 'closed' }, ['REGISTRATION=open']);
  expect(problems).toBe('');
});
