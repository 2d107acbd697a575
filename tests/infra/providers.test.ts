// What the template has with providers to sign in at: their settings, and a secret without a value.

import { describe, expect, it } from 'vitest';
import { functionConfigs } from '../../infra/functions/config/functions.ts';
import {
  inlineStatements,
  type Properties,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';

const providers = {
  OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
  OIDC_GOOGLE_CLIENT_ID: 'client-of-google',
  OIDC_WORK_ISSUER: 'https://id.example.com',
  OIDC_WORK_CLIENT_ID: 'client-of-work',
  OIDC_WORK_EMAILS: 'proven',
  // As `-c OIDC_OLD_ISSUER=` leaves it.
  OIDC_OLD_ISSUER: '',
};

const { OIDC_OLD_ISSUER: _, ...given } = providers;

const made = synthesize(providers);

const secrets = Object.entries(made.findResources('AWS::SecretsManager::Secret'));
const [secretId, secret] = secrets.find(([id]) => id.startsWith('ProviderSecrets')) ?? [];

/** The functions of the template by their names, each with its variables and what it may do. */
const functions = Object.values(made.findResources('AWS::Lambda::Function')).map(
  ({ Properties }) => {
    const { Description, Environment, Role } = Properties as {
      readonly Description: string;
      readonly Environment: { readonly Variables: Properties };
      readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
    };
    const role = made.findResources('AWS::IAM::Role')[Role['Fn::GetAtt'][0]];
    return {
      name: Description.replace('Handbill: ', ''),
      variables: Environment.Variables,
      statements: inlineStatements(role?.['Properties'] ?? {}),
    };
  },
);

const namesWith = (flag: 'providers' | 'providerSecrets') =>
  Object.entries(functionConfigs)
    .filter(([, config]) => config[flag])
    .map(([name]) => name)
    .toSorted();

describe('the functions that know providers', () => {
  it('have their settings, and no other function has', () => {
    const knowing = functions.filter(({ variables }) =>
      Object.keys(variables).some((name) => name.startsWith('OIDC_')),
    );
    expect(knowing.map(({ name }) => name).toSorted()).toEqual(namesWith('providers'));
    for (const { variables } of knowing) {
      expect(
        Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('OIDC_'))),
      ).toEqual(given);
    }
  });

  it('read the secrets only if they need them, and change none', () => {
    const reading = functions.filter(({ statements }) =>
      JSON.stringify(statements).includes(`"${secretId}"`),
    );
    expect(reading.map(({ name }) => name).toSorted()).toEqual(namesWith('providerSecrets'));
    for (const { variables, statements } of reading) {
      expect(variables['PROVIDER_SECRETS_ID']).toEqual({ Ref: secretId });
      const own = statements.filter((one) => JSON.stringify(one).includes(`"${secretId}"`));
      expect(own.map(({ Action }) => Action)).toEqual(['secretsmanager:GetSecretValue']);
    }
  });
});

describe('the secret of providers', () => {
  it('is made without a value, goes with the stack, and is an output', () => {
    expect(secret).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(Object.keys(secret?.['Properties'] ?? {})).toEqual(['Description']);
    made.hasOutput('ProviderSecretsId', { Value: { Ref: secretId } });
  });

  it('is nowhere without providers', () => {
    const text = JSON.stringify(template.toJSON());
    expect(text).not.toContain('ProviderSecrets');
    expect(text).not.toMatch(/OIDC_|PROVIDER_SECRETS_ID/);
  });
});

describe('settings of signing in that don’t go together', () => {
  const google = {
    OIDC_GOOGLE_ISSUER: providers.OIDC_GOOGLE_ISSUER,
    OIDC_GOOGLE_CLIENT_ID: providers.OIDC_GOOGLE_CLIENT_ID,
  };

  it.each([
    [{ EMAIL_SIGN_IN: 'on' }, /^Set MAIL_FROM to .* or EMAIL_SIGN_IN to off/],
    [{ PASSWORD_SIGN_IN: 'off' }, /nobody could sign in\.$/],
    [{ ROLE_CLAIM: 'groups a=admin' }, /^Leave out ROLE_CLAIM/],
    [{ ROLE_CLAIM: 'groups a=admin', ...google }, /^Leave out ROLE_CLAIM/],
    [{ ROLE_CLAIM: 'groups a=super_admin' }, /^Set ROLE_CLAIM to .*never super_admin\.$/],
    [{ OIDC_GOOGLE_ISSUER: google.OIDC_GOOGLE_ISSUER }, /^Set OIDC_GOOGLE_CLIENT_ID to /],
    [{ OIDC_GOOGLE_LABEL: 'Google' }, /^Set OIDC_GOOGLE_ISSUER to /],
    [{ ...google, OIDC_GOOGLE_EMAILS: 'proven' }, /^Set OIDC_GOOGLE_EMAILS to .*of everyone\.$/],
    [
      { OIDC_EMAIL_ISSUER: 'https://a.example', OIDC_EMAIL_CLIENT_ID: 'a' },
      /^Name the provider of OIDC_EMAIL_… otherwise/,
    ],
    [
      {
        ...google,
        OIDC_OTHER_ISSUER: `${google.OIDC_GOOGLE_ISSUER}/`,
        OIDC_OTHER_CLIENT_ID: 'b',
      },
      /^Set each OIDC_<NAME>_ISSUER to another issuer/,
    ],
    [
      Object.fromEntries(
        ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((name) => [
          [`OIDC_${name}_ISSUER`, `https://${name}.example`],
          [`OIDC_${name}_CLIENT_ID`, name],
        ]),
      ),
      /of up to 5 providers/,
    ],
    [
      {
        OIDC_WORK_ISSUER: 'https://id.example.com',
        OIDC_WORK_CLIENT_ID: 'a',
        ROLE_CLAIM: `groups ${Array.from({ length: 50 }, (_, at) => `${at}${'x'.repeat(60)}=user`).join()}`,
      },
      /^Shorten ROLE_CLAIM or the settings OIDC/,
    ],
  ])('%j make no stack', (settings, sentence) => {
    expect(() => synthesize(settings)).toThrow(sentence);
  });

  it('make one with what they need', () => {
    const all = {
      PASSWORD_SIGN_IN: 'off',
      EMAIL_SIGN_IN: 'on',
      MAIL_FROM: 'a@example.com',
      ROLE_CLAIM: 'groups a=admin',
      ...given,
    };
    expect(() => synthesize(all)).not.toThrow();
  });
});
