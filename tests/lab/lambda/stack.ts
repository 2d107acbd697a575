import { join } from 'node:path';
import cdk from '../../../cdk.json' with { type: 'json' };
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import { createApp } from '../../../infra/stack/handbill-app.ts';
import { type PhysicalName, resolver } from './intrinsics.ts';

/** A value for every deployment setting except the origins, which default to those of the APIs. */
const chosen = {
  // Sessions must outlast the hour in which their use is not recorded again.
  JWT_ACCESS_EXPIRES: '3h',
  JWT_REFRESH_EXPIRES: '7d',
  SESSION_MAX_AGE: '30d',
  // The minimum, because these tests do not cover bcrypt.
  PASSWORD_COST: '4',
  RATE_LIMIT_FACTOR: '1000',
  REGISTRATION: 'open',
  DIRECTORY: 'exact',
  DEFAULT_AUDIENCE: 'link',
  MAX_AUDIENCE: 'link',
  EMAIL_VERIFICATION: 'optional',
  ALLOWED_DOMAINS: 'example.com',
  NEW_USER_PERMISSIONS: 'messages:create',
  // A role that nobody has: it asks no one.
  MFA_REQUIRED_ROLES: 'auditors',
  PASSWORD_SIGN_IN: 'on',
  EMAIL_SIGN_IN: 'on',
  ROLE_CLAIM: 'groups admins=admin',
  OIDC_WORK_ISSUER: 'https://id.example.com',
  OIDC_WORK_CLIENT_ID: 'handbill',
  OIDC_WORK_LABEL: 'Work',
  OIDC_WORK_EMAILS: 'proven',
  MAIL_CONCURRENCY: '2',
  MAIL_FROM: 'handbill@example.com',
  MAIL_RATE: '1000',
  WEBHOOKS: 'on',
  webhookConcurrency: '2',
  AUDIT_KEEP: '365d',
  MAX_SHARE_AGE: '3650d',
  MESSAGES_KEEP: '365d',
  NOTIFICATIONS_KEEP: '90d',
  CHECKIN_TIMEZONE: 'UTC',
  CURRENCY: 'EUR',
  FILES_QUOTA: '1GB',
  corsOrigins: 'https://app.example.com',
} as const;

/** The stack chooses these itself. */
const ownSettings: readonly string[] = [
  'PUBLIC_URL',
  'SNIPPETS_URL',
  'CORS_ORIGINS',
  'STAGE',
  'VERSION',
  'COMMIT',
  'WEBHOOK_CONCURRENCY',
];

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}
export type Resources = Readonly<Record<string, Resource>>;

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<
    Record<string, Readonly<Record<string, string | readonly string[]>>>
  >;
}

/** A function of the template with local resource names. */
export interface DeployedFunction {
  /** Logical id in the template. */
  readonly id: string;
  /** The group, `jobs`, or the fallback of a host. */
  readonly name: string;
  /** The folder of its bundle. */
  readonly folder: string;
  readonly handler: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Permissions of its role. */
  readonly statements: readonly Statement[];
}

const checkThatAllIsChosen = (): void => {
  const wanted = Object.values(functionConfigs).flatMap(
    ({ settings = [] }) => settings as string[],
  );
  const missing = wanted.filter((name) => !(name in chosen) && !ownSettings.includes(name));
  if (missing.length > 0) {
    throw new Error(`Choose ${[...new Set(missing)].join(', ')} in tests/lab/lambda/stack.ts`);
  }
};

/** Synthesizes the stack into a folder as `npm run deploy` does, with every setting chosen. */
export const synthesise = (outdir: string): Resources => {
  checkThatAllIsChosen();
  const { app, stack } = createApp({
    outdir,
    context: { ...cdk.context, ...chosen },
    // Takes longer than all else; tests/infra/cdk-nag.long.test.ts reads what these checks find.
    builtinCloudFormationValidation: false,
  });
  return app.synth().getStackByName(stack.stackName).template.Resources;
};

const describing = /^Handbill: (\S+)$/;

interface FunctionProperties {
  readonly Description?: string;
  readonly Handler: string;
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly Code: { readonly S3Key?: string };
  readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
}

interface RoleProperties {
  readonly Policies: readonly {
    readonly PolicyDocument: { readonly Statement: readonly unknown[] };
  }[];
}

const statementsOf = (resources: Resources, roleId: string): unknown[] => {
  const role = resources[roleId]?.Properties as unknown as RoleProperties | undefined;
  return (role?.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
};

/** Returns the functions of a template. `nameFor` returns the resource names for a function. */
export const functionsOf = (
  resources: Resources,
  outdir: string,
  nameFor: (functionName: string) => PhysicalName,
): DeployedFunction[] =>
  Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id, { Properties }]) => {
      const properties = Properties as unknown as FunctionProperties;
      const { Description = '', Code, Environment, Role } = properties;
      const variables = Environment?.Variables ?? {};
      const group = Description.match(describing)?.[1];
      if (group === undefined || Code.S3Key === undefined) {
        throw new Error(`The function ${id} has no group or no bundle`);
      }
      const name = group === 'fallback' ? `${variables['API_HOST']} fallback` : group;
      const resolve = resolver(resources, nameFor(name));
      return {
        id,
        name,
        folder: join(outdir, `asset.${Code.S3Key.replace(/\.zip$/, '')}`),
        handler: properties.Handler,
        memoryMb: properties.MemorySize,
        timeoutSeconds: properties.Timeout,
        environment: resolve(variables) as Record<string, string>,
        statements: resolve(statementsOf(resources, Role['Fn::GetAtt'][0])) as Statement[],
      };
    });
