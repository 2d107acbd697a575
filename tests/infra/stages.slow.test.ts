import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { HandbillStack } from '../../infra/stack/stack.ts';
import { unprotectedContext } from '../../infra/stack/stack-name.ts';
import { readStackSettings } from '../../infra/stack/stack-settings.ts';
import { createStack, synthesize, withoutChecks } from '../support/infra/stack-template.ts';

type Context = Record<string, unknown>;
interface Resource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
  readonly DeletionPolicy?: string;
}

const read = (context: Context) => readStackSettings((name) => context[name]);

const resourcesOf = (template: Template): Record<string, Resource> =>
  template.toJSON()['Resources'];

/** Resources that contain data. */
const holdsData = new Set([
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
]);

/** Settings that differ in what each is for: a synthesis takes a second, and each of these stands for more than one test. */
const chosen = {
  PASSWORD_COST: '11',
  logRetentionDays: '7',
  JWT_REFRESH_EXPIRES: '12h',
  PUBLIC_URL: 'https://share.example.com/',
  SNIPPETS_URL: 'https://snippets.example.com',
} as const;
const traced = { tracing: 'true', SESSION_MAX_AGE: '90d' } as const;
// A repeated request is recognized for a day, by a hash that includes the secret.
const restored = { existingTable: 'restored', SESSION_MAX_AGE: '12h' } as const;

const domain = {
  PUBLIC_URL: 'https://share.example.com/',
  SNIPPETS_URL: 'https://snippets.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd',
  hostedZoneId: 'Z0123456789',
  hostedZoneName: 'example.com',
};

describe('readStackSettings', () => {
  it('returns the defaults', () => {
    expect(read({})).toEqual({
      stage: 'prod',
      ephemeral: false,
      corsOrigins: [],
      throttle: { rate: 100, burst: 200 },
      jobConcurrency: { mail: 2, activity: 2, work: 2, hooks: 2 },
      webhookConcurrency: undefined,
      logRetention: 30,
      tracing: false,
      alarmEmail: undefined,
      monthlyBudget: undefined,
      spendingLimit: undefined,
      events: false,
      existingTable: undefined,
      existingBucket: undefined,
      existingSecret: undefined,
      customDomain: undefined,
      edge: undefined,
      providers: {},
      service: {},
    });
  });

  it("returns the service's settings as text, and origins without a trailing slash", () => {
    const { PUBLIC_URL, SNIPPETS_URL } = domain;
    const service = { JWT_ACCESS_EXPIRES: '5m', CHECKIN_TIMEZONE: 'Europe/Berlin' };
    expect(read({ ...service, PUBLIC_URL, SNIPPETS_URL }).service).toEqual({
      ...service,
      PUBLIC_URL: 'https://share.example.com',
      SNIPPETS_URL,
    });
  });

  it('does not change the environment', () => {
    const before = { ...process.env };
    expect(() => read({ PASSWORD_COST: '13', CHECKIN_TIMEZONE: 'Mars' })).toThrow();
    expect(process.env).toEqual(before);
  });

  it.each<[string, Context]>([
    ['stage', { stage: 'Prod' }],
    ['stage', { stage: 'a-name-longer-than-twenty' }],
    ['stage', { ephemeral: true }],
    ['ephemeral', { stage: 'dev', ephemeral: 'yes' }],
    ['corsOrigins', { corsOrigins: 'https://app.example.com/' }],
    ['corsOrigins', { corsOrigins: '*,https://app.example.com' }],
    ['throttleRate', { throttleRate: '0' }],
    ['throttleBurst', { throttleBurst: 'many' }],
    ['logRetentionDays', { logRetentionDays: '31' }],
    ['activityConcurrency', { activityConcurrency: '1' }],
    ['jobConcurrency', { jobConcurrency: 'many' }],
    ['alarmEmail', { alarmEmail: 'ops' }],
    ['monthlyBudget', { monthlyBudget: '0' }],
    ['spendingLimit', { spendingLimit: '4' }],
    ['events', { events: 'on' }],
    ['alarmEmail', { monthlyBudget: '10' }],
    ['MAIL_FROM', { MAIL_FROM: 'Handbill' }],
    ['existingTable', { existingTable: 'a table' }],
    ['PASSWORD_COST', { PASSWORD_COST: '3' }],
    ['JWT_ACCESS_EXPIRES', { JWT_ACCESS_EXPIRES: '15' }],
    ['JWT_REFRESH_EXPIRES', { JWT_REFRESH_EXPIRES: 'week' }],
    ['CHECKIN_TIMEZONE', { CHECKIN_TIMEZONE: 'Mars' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/handbill' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://example.com' }],
    [
      'SNIPPETS_URL',
      { PUBLIC_URL: 'https://a.example.com', SNIPPETS_URL: 'https://a.example.com' },
    ],
    ['hostedZoneName', { ...domain, hostedZoneName: undefined }],
    ['SNIPPETS_URL', { ...domain, SNIPPETS_URL: undefined }],
    ['SNIPPETS_URL', { ...domain, SNIPPETS_URL: 'https://snippets.example.net' }],
  ])('names the invalid setting %s in the error: %j', (name, context) => {
    expect(() => read(context)).toThrow(new RegExp(`^Set ${name}( to |: required)`));
  });

  it('passes settings to the functions that use them', () => {
    const template = synthesize(chosen);
    const functionsWith = (name: string, value: string) =>
      Object.values(
        template.findResources('AWS::Lambda::Function', {
          Properties: { Environment: { Variables: { [name]: value } } },
        }),
      ).map(({ Properties }) => Properties.Description);
    expect(functionsWith('PASSWORD_COST', '11')).toEqual([
      'Handbill: auth',
      'Handbill: users',
      'Handbill: password',
    ]);
    expect(functionsWith('PUBLIC_URL', 'https://share.example.com')).toContain('Handbill: share');
    expect(functionsWith('SNIPPETS_URL', chosen.SNIPPETS_URL)).toEqual([
      'Handbill: settings',
      'Handbill: share',
      'Handbill: webhooks',
      'Handbill: mcp',
      'Handbill: site',
      'Handbill: share-page',
      'Handbill: snippet',
      'Handbill: jobs',
    ]);
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    template.hasOutput('ServiceUrl', { Value: 'https://share.example.com' });
    template.hasOutput('ServiceEndpoint', {
      Value: Match.objectLike({ 'Fn::GetAtt': Match.anyValue() }),
    });
  });
});

describe('a custom domain', () => {
  const template = synthesize(domain);

  it.each(['share.example.com', 'snippets.example.com'])('maps %s to its API', (name) => {
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: name,
      DomainNameConfigurations: [
        Match.objectLike({ CertificateArn: domain.certificateArn, EndpointType: 'REGIONAL' }),
      ],
    });
    template.hasResourceProperties('AWS::Route53::RecordSet', {
      Name: `${name}.`,
      Type: 'A',
      HostedZoneId: domain.hostedZoneId,
    });
  });

  it('disables the default endpoints', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 2);
    template.allResourcesProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
  });
});

describe('an existing table', () => {
  it('replaces the table of the stack', () => {
    const template = synthesize(restored);
    template.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
    template.hasOutput('TableName', { Value: 'restored' });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Handbill: health',
      Environment: { Variables: { TABLE_NAME: 'restored' } },
    });
    const policies = JSON.stringify(template.findResources('AWS::IAM::Role'));
    expect(policies).toContain(':table/restored"');
    expect(policies).toContain(':table/restored/index/gsi1"');
  });
});

describe('stages', () => {
  it('can share an account, because no explicit name is used twice', () => {
    const { app, stack } = createStack({ alarmEmail: 'ops@example.com' }, withoutChecks);
    const other = new HandbillStack(app, read({ stage: 'dev', alarmEmail: 'ops@example.com' }));
    expect([stack.stackName, other.stackName]).toEqual(['Handbill-prod', 'Handbill-dev']);
    const isName = /^(Name|.*Name|Alias)$/;
    const namesOf = (one: HandbillStack) =>
      Object.values(resourcesOf(Template.fromStack(one))).flatMap(({ Type, Properties = {} }) =>
        Object.entries(Properties)
          .filter(([key, value]) => isName.test(key) && typeof value === 'string')
          // `$default` is unique only within its API; metric and policy names identify no resource of the account.
          .filter(([key]) => !['StageName', 'MetricName', 'PolicyName'].includes(key))
          .map(([, value]) => `${Type} ${value}`),
      );
    const names = namesOf(stack);
    expect(names).toContain('AWS::ApiGatewayV2::Api handbill-prod-service');
    expect(names.filter((name) => !name.includes('prod'))).toEqual([]);
    expect(namesOf(other).filter((name) => !name.includes('dev'))).toEqual([]);
  });
});

describe('a destroyed stage', () => {
  const kept = (template: Template) =>
    Object.values(resourcesOf(template))
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
      .map(({ Type }) => Type);

  it('retains the resources with data', () => {
    expect(new Set(kept(synthesize()))).toEqual(holdsData);
  });

  it('can be deleted by `npm run destroy` only, unless it is ephemeral', () => {
    expect(createStack().stack.terminationProtection).toBe(true);
    expect(createStack({ stage: 'try', ephemeral: 'true' }).stack.terminationProtection).toBe(
      false,
    );
    // `npm run deploy` protects a new stack itself, once it runs.
    expect(createStack({ [unprotectedContext]: 'true' }).stack.terminationProtection).toBe(false);
  });

  it('traces functions if asked', () => {
    const countTraced = (context: Context) =>
      Object.keys(
        synthesize(context).findResources('AWS::Lambda::Function', {
          Properties: { TracingConfig: { Mode: 'Active' } },
        }),
      ).length;
    expect(countTraced({})).toBe(0);
    expect(countTraced(traced)).toBeGreaterThan(10);
  });

  describe('if ephemeral', () => {
    const template = synthesize({ stage: 'try', ephemeral: 'true' });

    it('retains nothing', () => {
      expect(kept(template)).toEqual([]);
      for (const { Type, DeletionPolicy } of Object.values(resourcesOf(template))) {
        if (holdsData.has(Type)) expect(DeletionPolicy).toBe('Delete');
      }
    });

    it('has a table without deletion protection and backups', () => {
      template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: false,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
          }),
        ],
      });
    });

    it('empties the bucket first', () => {
      template.resourceCountIs('Custom::S3AutoDeleteObjects', 1);
      synthesize().resourceCountIs('Custom::S3AutoDeleteObjects', 0);
    });

    it('has no alarms', () => {
      template.resourceCountIs('AWS::CloudWatch::Alarm', 0);
    });

    it('has the output Ephemeral', () => template.hasOutput('Ephemeral', { Value: 'true' }));
  });

  it.each([
    [{}, '2592000'],
    [chosen, '2592000'],
    [traced, '7776000'],
    [restored, '86400'],
  ])('outputs the longest token lifetime with %j', (context, seconds) => {
    const template = synthesize(context);
    template.hasOutput('LongestTokenSeconds', { Value: seconds });
  });
});
