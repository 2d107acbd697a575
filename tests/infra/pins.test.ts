import { describe, expect, it } from 'vitest';
import { readStackSettings } from '../../infra/stack/stack-settings.ts';
import { inlineStatements, synthesize, template } from '../support/infra/stack-template.ts';
import { canonical, digest, pin } from '../support/pins/pins.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface FunctionProperties {
  readonly Description: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
  readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
}

const isAssetKey = (text: unknown): boolean =>
  typeof text === 'string' && /^[\da-f]{64}\.zip$/.test(text);

/** Returns the resources without the names of the bundles, which depend on their content, and without version, commit and assets. */
const resourcesIn = (made: typeof template): [id: string, resource: Resource][] =>
  Object.entries(
    JSON.parse(
      JSON.stringify(made.toJSON()['Resources'], (name, value) => {
        if (['VERSION', 'COMMIT', 'build'].includes(name)) return 'of this build';
        return isAssetKey(value) ? 'a bundle' : value;
      }),
    ),
  );

/** Returns a line for each environment variable and each permission of each function. */
const functionLines = (made: typeof template): string[] => {
  const all = resourcesIn(made);
  const roles = new Map(all.filter(([, { Type }]) => Type === 'AWS::IAM::Role'));
  return all
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .flatMap(([id, { Properties }]) => {
      const { Description, Environment, Role } = Properties as unknown as FunctionProperties;
      const own = roles.get(Role['Fn::GetAtt'][0])?.Properties ?? {};
      const name = `${id} (${Description})`;
      return [
        ...Object.entries(Environment.Variables).map(
          ([variable, value]) => `${name} knows ${variable} = ${canonical(value)}`,
        ),
        ...inlineStatements(own).map((statement) => `${name} may ${canonical(statement)}`),
      ];
    });
};

/** Every setting of a deployment that changes the functions' environment or permissions. */
const chosen = {
  AUDIT_KEEP: '30d',
  CHECKIN_TIMEZONE: 'Europe/Berlin',
  CURRENCY: 'USD',
  DIRECTORY: 'members',
  DEFAULT_AUDIENCE: 'people',
  MAX_AUDIENCE: 'members',
  FILES_QUOTA: '2GB',
  MAX_SHARE_AGE: '60d',
  MESSAGES_KEEP: '200d',
  NOTIFICATIONS_KEEP: '30d',
  JWT_ACCESS_EXPIRES: '5m',
  JWT_REFRESH_EXPIRES: '2d',
  MAIL_CONCURRENCY: '3',
  MAIL_FROM: 'service@example.com',
  MAIL_RATE: '14',
  MFA_REQUIRED_ROLES: 'super_admin',
  NEW_USER_PERMISSIONS: 'documents:create',
  PASSWORD_SIGN_IN: 'off',
  EMAIL_SIGN_IN: 'on',
  ROLE_CLAIM: 'groups staff=user',
  PASSWORD_COST: '11',
  PUBLIC_URL: 'https://share.example.com',
  RATE_LIMIT_FACTOR: '2',
  EMAIL_VERIFICATION: 'required',
  ALLOWED_DOMAINS: 'example.com',
  REGISTRATION: 'invite',
  SESSION_MAX_AGE: '20d',
  SNIPPETS_URL: 'https://snippets.example.com',
  WEBHOOKS: 'off',
};

/** A provider, whose settings have names of their own. */
const provider = {
  OIDC_WORK_ISSUER: 'https://id.example.com',
  OIDC_WORK_CLIENT_ID: 'handbill',
  OIDC_WORK_LABEL: 'Example',
  OIDC_WORK_EMAILS: 'proven',
};

/** Returns the names of all settings that a deployment reads. */
const namesRead = (): string[] => {
  const names: string[] = [];
  readStackSettings((name) => {
    names.push(name);
    return undefined;
  });
  return names;
};

describe('the template', () => {
  it('has the pinned resources', async () => {
    const { Outputs, Parameters } = template.toJSON() as Record<string, Record<string, unknown>>;
    await pin('template', [
      ...resourcesIn(template).map(([id, one]) => `${id} ${one.Type} ${digest(one)}`),
      ...Object.entries(Outputs ?? {}).map(([id, one]) => `output ${id} ${canonical(one)}`),
      ...Object.keys(Parameters ?? {}).map((id) => `parameter ${id}`),
      ...namesRead().map((name) => `setting ${name}`),
    ]);
  });

  it('has the pinned functions', async () => {
    await pin('template-functions', functionLines(template));
  });

  it('has the pinned resources with a CDN', async () => {
    const made = synthesize({ edge: 'true' });
    const without = new Set(resourcesIn(template).map(([id]) => id));
    const { Parameters } = made.toJSON() as Record<string, Record<string, unknown>>;
    await pin('template-edge', [
      ...resourcesIn(made)
        .filter(([id]) => !without.has(id))
        .map(([id, one]) => `${id} ${one.Type} ${digest(one)}`),
      ...Object.entries(Parameters ?? {}).map(([id, one]) => `parameter ${id} ${canonical(one)}`),
    ]);
  });

  it('has the pinned functions with every setting configured', async () => {
    const isService = (name: string) => /^[A-Z_]+$/.test(name);
    expect(new Set(namesRead().filter(isService))).toEqual(new Set(Object.keys(chosen)));
    await pin('template-functions-chosen', functionLines(synthesize({ ...chosen, ...provider })));
  });
});
