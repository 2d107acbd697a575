import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import cdk from '../cdk.json' with { type: 'json' };
import { type Host, hosts, routesOf } from '../functions/routes.ts';
import { HandbillStack } from '../infra/stack.ts';

type Properties = Record<string, unknown>;
interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** The template as `cdk deploy` makes it, but for the bundles, with these values in the context. */
const synthesize = (context: Record<string, string> = {}): Template => {
  const bundleNothing = { 'aws:cdk:bundling-stacks': [] };
  const app = new App({ context: { ...cdk.context, ...context, ...bundleNothing } });
  return Template.fromStack(new HandbillStack(app, 'Handbill'));
};

const template = synthesize();

const resources = (type: string): [id: string, properties: Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);

const theOnly = (type: string): string => {
  const [only, ...others] = resources(type);
  if (!only || others.length > 0) throw new Error(`There is not one ${type}`);
  return only[0];
};

const tableId = theOnly('AWS::DynamoDB::GlobalTable');
const secretId = theOnly('AWS::SecretsManager::Secret');

const apiIdOf = (host: Host): string => {
  const api = resources('AWS::ApiGatewayV2::Api').find(
    ([, { Name }]) => Name === `handbill-${host}`,
  );
  if (!api) throw new Error(`There is no API for ${host}`);
  return api[0];
};

const apiIds: Record<Host, string> = { service: apiIdOf('service'), snippets: apiIdOf('snippets') };

const groups = Object.values(hosts).flatMap((groupsOfHost) => Object.keys(groupsOfHost));

const functionOf = (group: string): [id: string, properties: Properties] => {
  const found = resources('AWS::Lambda::Function').find(
    ([, { Description }]) => Description === `Handbill: ${group}`,
  );
  if (!found) throw new Error(`There is no function for ${group}`);
  return found;
};

const settingsOf = (group: string): Record<string, unknown> =>
  (functionOf(group)[1]['Environment'] as { Variables: Record<string, unknown> }).Variables;

const statementsOf = (group: string): Statement[] => {
  const { Role } = functionOf(group)[1] as { Role: { 'Fn::GetAtt': [string, string] } };
  const roleId = Role['Fn::GetAtt'][0];
  return resources('AWS::IAM::Policy')
    .filter(([, { Roles }]) => (Roles as { Ref: string }[]).some(({ Ref }) => Ref === roleId))
    .flatMap(([, policy]) => (policy['PolicyDocument'] as { Statement: Statement[] }).Statement);
};

/** What a group's function may do to the resources whose names begin so, for instance `dynamodb`. */
const actionsOf = (group: string, service: string): string[] =>
  statementsOf(group)
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith(`${service}:`))
    .map((action) => action.slice(service.length + 1));

const mentions = (value: unknown, logicalId: string): boolean =>
  JSON.stringify(value).includes(`"${logicalId}"`);

describe('the stack', () => {
  it('has 70 resources, far below the 300 that leave room to grow', () => {
    const count = Object.keys(template.toJSON()['Resources']).length;
    expect(count).toBe(70);
    expect(count).toBeLessThan(300);
  });

  it('tells the addresses of both hosts', () => {
    const endpoint = (id: string) => ({ Value: { 'Fn::GetAtt': [id, 'ApiEndpoint'] } });
    template.hasOutput('ServiceUrl', endpoint(apiIds.service));
    template.hasOutput('SnippetsUrl', endpoint(apiIds.snippets));
  });
});

describe('the APIs', () => {
  it.each(Object.keys(hosts) as Host[])('%s: one route for each of its endpoints', (host) => {
    const routeKeys = resources('AWS::ApiGatewayV2::Route')
      .filter(([, { ApiId }]) => (ApiId as { Ref: string }).Ref === apiIds[host])
      .map(([, { RouteKey }]) => RouteKey);
    expect(routeKeys.sort()).toEqual(
      routesOf(host)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('lead each endpoint to the function of its group', () => {
    const integrations = new Map(resources('AWS::ApiGatewayV2::Integration'));
    const targets = resources('AWS::ApiGatewayV2::Route').map(([, { RouteKey, Target }]) => {
      const [, [, { Ref }]] = (Target as { 'Fn::Join': [string, [string, { Ref: string }]] })[
        'Fn::Join'
      ];
      const { IntegrationUri, PayloadFormatVersion } = integrations.get(Ref) as Properties;
      return { RouteKey, IntegrationUri, PayloadFormatVersion };
    });
    const expected = Object.values(hosts).flatMap((groupsOfHost) =>
      Object.entries(groupsOfHost).flatMap(([group, routes]) =>
        routes.map(({ method, path }) => ({
          RouteKey: `${method} ${path}`,
          IntegrationUri: { 'Fn::GetAtt': [functionOf(group)[0], 'Arn'] },
          PayloadFormatVersion: '2.0',
        })),
      ),
    );
    expect(targets).toHaveLength(expected.length);
    expect(targets).toEqual(expect.arrayContaining(expected));
  });

  it.each(Object.entries(hosts))('%s may call the functions of its groups only', (host, own) => {
    const callable = resources('AWS::Lambda::Permission')
      .filter(([, { SourceArn }]) => mentions(SourceArn, apiIds[host as Host]))
      .map(([, { FunctionName }]) => FunctionName);
    const expected = Object.keys(own).map((group) => ({
      'Fn::GetAtt': [functionOf(group)[0], 'Arn'],
    }));
    expect(callable).toHaveLength(expected.length);
    expect(callable).toEqual(expect.arrayContaining(expected));
  });
});

describe('the functions', () => {
  it('are one for each group', () => {
    template.resourceCountIs('AWS::Lambda::Function', groups.length);
  });

  it.each(groups)('%s runs on Node.js 24 on arm64, in production, within 30 s', (group) => {
    const [, properties] = functionOf(group);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Environment: { Variables: { NODE_ENV: 'production' } },
    });
    expect(properties['Timeout']).toBeLessThan(30);
    expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it.each(['auth', 'share', 'markdown'])('%s has a whole vCPU', (group) => {
    expect(functionOf(group)[1]['MemorySize']).toBe(1_769);
  });

  it.each(groups)('%s has a log that forgets after a month and goes with the stack', (group) => {
    const { LoggingConfig } = functionOf(group)[1] as { LoggingConfig: { LogGroup: Properties } };
    const log = template.toJSON()['Resources'][LoggingConfig.LogGroup['Ref'] as string];
    expect(log).toMatchObject({
      Type: 'AWS::Logs::LogGroup',
      Properties: { RetentionInDays: 30 },
      DeletionPolicy: 'Delete',
    });
  });

  it('have the addresses of both hosts, where they use them', () => {
    const endpoint = (host: Host) => ({ 'Fn::GetAtt': [apiIds[host], 'ApiEndpoint'] });
    expect(settingsOf('share')['PUBLIC_URL']).toEqual(endpoint('service'));
    expect(settingsOf('snippet')['PUBLIC_URL']).toEqual(endpoint('service'));
    expect(settingsOf('pages')['SNIPPETS_URL']).toEqual(endpoint('snippets'));
  });

  it('take a setting that was chosen, those that use it', () => {
    const chosen = synthesize({ PASSWORD_COST: '11', PUBLIC_URL: 'https://share.example.com' });
    const withSetting = (name: string, value: string) =>
      Object.keys(
        chosen.findResources('AWS::Lambda::Function', {
          Properties: { Environment: { Variables: { [name]: value } } },
        }),
      );
    expect(withSetting('PASSWORD_COST', '11')).toEqual([functionOf('auth')[0]]);
    expect(withSetting('PUBLIC_URL', 'https://share.example.com').sort()).toEqual(
      [functionOf('share')[0], functionOf('snippet')[0]].sort(),
    );
  });
});

describe('the rights of the functions', () => {
  it.each(groups)('%s may do single actions to single resources, nothing to all', (group) => {
    for (const { Action, Resource } of statementsOf(group)) {
      expect([Action].flat().join()).not.toContain('*');
      expect(JSON.stringify(Resource)).not.toContain('*');
    }
  });

  it('come from no managed policy', () => {
    for (const [, role] of resources('AWS::IAM::Role')) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  it.each(groups)('%s knows the table and the secret only if it may use them', (group) => {
    const settings = settingsOf(group);
    const statements = statementsOf(group);
    expect('TABLE_NAME' in settings).toBe(actionsOf(group, 'dynamodb').length > 0);
    expect(mentions(statements, tableId)).toBe('TABLE_NAME' in settings);
    expect('JWT_SECRET_ID' in settings).toBe(actionsOf(group, 'secretsmanager').length > 0);
    expect(mentions(statements, secretId)).toBe('JWT_SECRET_ID' in settings);
  });

  it('let Markdown be converted without the table and the secret', () => {
    expect(settingsOf('markdown')).toEqual({ NODE_ENV: 'production' });
    expect(actionsOf('markdown', 'dynamodb')).toEqual([]);
    expect(actionsOf('markdown', 'secretsmanager')).toEqual([]);
  });

  it('let the check of health read items and nothing else', () => {
    expect(actionsOf('health', 'dynamodb')).toEqual(['GetItem']);
    expect(actionsOf('health', 'secretsmanager')).toEqual([]);
  });

  it("let the snippets' host read items by key and nothing else", () => {
    expect(actionsOf('snippet', 'dynamodb')).toEqual(['BatchGetItem']);
  });

  it('let deletes be done by the group that ends sessions only', () => {
    const deleting = groups.filter((group) => actionsOf(group, 'dynamodb').includes('DeleteItem'));
    expect(deleting).toEqual(['auth']);
  });

  it.each(groups)('%s can read the secret but not change it', (group) => {
    expect(['', 'GetSecretValue']).toContain(actionsOf(group, 'secretsmanager').join());
  });
});

describe('the table', () => {
  const table = 'AWS::DynamoDB::GlobalTable';

  it('has the keys of the design and its index with all attributes', () => {
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    template.hasResourceProperties(table, {
      KeySchema: key('pk', 'sk'),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi1',
          KeySchema: key('gsi1pk', 'gsi1sk'),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
  });

  it('is paid by use and lets items expire', () => {
    template.hasResourceProperties(table, {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  it('can be restored, is protected, and is kept when the stack goes', () => {
    template.hasResource(table, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });
});

describe('the signing secret', () => {
  it('is made up by AWS, long, and kept when the stack goes', () => {
    template.hasResource('AWS::SecretsManager::Secret', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
        SecretString: Match.absent(),
      },
    });
  });
});
