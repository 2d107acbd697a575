import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import cdk from '../cdk.json' with { type: 'json' };
import { type Host, hosts, routesOf } from '../functions/routes.ts';
import { endpointsJson } from '../infra/endpoints.ts';
import { handbillApp } from '../infra/handbill-app.ts';
import { type Endpoint, endpointsOf } from '../shared/fallback.ts';

type Properties = Record<string, unknown>;
interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** The template as `cdk deploy` makes it, but for the bundles, with these values in the context. */
const synthesize = (context: Record<string, unknown> = {}): Template => {
  const bundleNothing = { 'aws:cdk:bundling-stacks': [] };
  const { stack } = handbillApp({ context: { ...cdk.context, ...context, ...bundleNothing } });
  return Template.fromStack(stack);
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
    ([, { Name }]) => Name === `handbill-prod-${host}`,
  );
  if (!api) throw new Error(`There is no API for ${host}`);
  return api[0];
};

const apiIds: Record<Host, string> = { service: apiIdOf('service'), snippets: apiIdOf('snippets') };

const groups = Object.values(hosts).flatMap((groupsOfHost) => Object.keys(groupsOfHost));

/** The names of the functions, as on the dashboard: a group's, or that of a host's fallback. */
const functionNames = [...groups, 'service fallback', 'snippets fallback'];

const hostOfFallback = (name: string): Host | undefined =>
  (Object.keys(hosts) as Host[]).find((host) => name === `${host} fallback`);

const functionOf = (name: string): [id: string, properties: Properties] => {
  const host = hostOfFallback(name);
  const found = resources('AWS::Lambda::Function').find(([, { Description, Environment }]) =>
    host
      ? (Environment as { Variables: Properties }).Variables['API_HOST'] === host
      : Description === `Handbill: ${name}`,
  );
  if (!found) throw new Error(`There is no function ${name}`);
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

/** The one resource of its kind that belongs to this API. */
const ofApi = (type: string, host: Host): Properties => {
  const [only, ...others] = resources(type).filter(
    ([, { ApiId }]) => (ApiId as { Ref: string }).Ref === apiIds[host],
  );
  if (!only || others.length > 0) throw new Error(`${host} has not one ${type}`);
  return only[1];
};

const routeKeysOf = (host: Host): string[] =>
  endpointsOf(routesOf(host)).map(({ method, path }) => `${method} ${path}`);

const allHosts = Object.keys(hosts) as Host[];

describe('the stack', () => {
  it('has a resource for each route, six for each function, 23 others: below the 300 that leave room', () => {
    const count = Object.keys(template.toJSON()['Resources']).length;
    const routes = resources('AWS::ApiGatewayV2::Route').length;
    expect(count - routes - 6 * functionNames.length).toBe(23);
    expect(count).toBeLessThan(300);
  });

  it('tells the addresses of both hosts, and the names that the commands need', () => {
    const endpoint = (id: string) => ({ Value: { 'Fn::GetAtt': [id, 'ApiEndpoint'] } });
    template.hasOutput('ServiceUrl', endpoint(apiIds.service));
    template.hasOutput('SnippetsUrl', endpoint(apiIds.snippets));
    template.hasOutput('TableName', { Value: { Ref: tableId } });
    template.hasOutput('SigningSecretId', { Value: { Ref: secretId } });
    template.hasOutput('FilesBucketName', { Value: { Ref: theOnly('AWS::S3::Bucket') } });
    template.hasOutput('Ephemeral', { Value: 'false' });
  });
});

describe('the APIs', () => {
  it.each(allHosts)(
    '%s: one route for each endpoint, HEAD beside each GET, one for the rest',
    (host) => {
      const routeKeys = resources('AWS::ApiGatewayV2::Route')
        .filter(([, { ApiId }]) => (ApiId as { Ref: string }).Ref === apiIds[host])
        .map(([, { RouteKey }]) => RouteKey);
      expect(routeKeys.sort()).toEqual(['$default', ...routeKeysOf(host)].sort());
    },
  );

  it('lead each endpoint to the function of its group, the rest to the fallback of the host', () => {
    const integrations = new Map(resources('AWS::ApiGatewayV2::Integration'));
    const targets = resources('AWS::ApiGatewayV2::Route').map(([, { ApiId, RouteKey, Target }]) => {
      const [, [, { Ref }]] = (Target as { 'Fn::Join': [string, [string, { Ref: string }]] })[
        'Fn::Join'
      ];
      const { IntegrationUri, PayloadFormatVersion } = integrations.get(Ref) as Properties;
      return { ApiId, RouteKey, IntegrationUri, PayloadFormatVersion };
    });
    const target = (host: Host, RouteKey: string, name: string) => ({
      ApiId: { Ref: apiIds[host] },
      RouteKey,
      IntegrationUri: { 'Fn::GetAtt': [functionOf(name)[0], 'Arn'] },
      PayloadFormatVersion: '2.0',
    });
    const expected = allHosts.flatMap((host) => [
      target(host, '$default', `${host} fallback`),
      ...Object.entries(hosts[host]).flatMap(([group, routes]) =>
        endpointsOf(routes).map(({ method, path }) => target(host, `${method} ${path}`, group)),
      ),
    ]);
    expect(targets).toHaveLength(expected.length);
    expect(targets).toEqual(expect.arrayContaining(expected));
  });

  it.each(allHosts)('%s may call the functions of its groups and its fallback only', (host) => {
    const callable = resources('AWS::Lambda::Permission')
      .filter(([, { SourceArn }]) => mentions(SourceArn, apiIds[host]))
      .map(([, { FunctionName }]) => FunctionName);
    const expected = [...Object.keys(hosts[host]), `${host} fallback`].map((name) => ({
      'Fn::GetAtt': [functionOf(name)[0], 'Arn'],
    }));
    expect(callable).toHaveLength(expected.length);
    expect(callable).toEqual(expect.arrayContaining(expected));
  });

  it('tell the fallbacks the endpoints of their hosts', () => {
    const lists = JSON.parse(endpointsJson());
    expect(Object.keys(lists)).toEqual(allHosts);
    for (const host of allHosts) {
      expect(lists[host].map((one: Endpoint) => `${one.method} ${one.path}`)).toEqual(
        routeKeysOf(host),
      );
    }
  });
});

describe("the APIs' logs", () => {
  const formatOf = (host: Host): Record<string, string> => {
    const { AccessLogSettings } = ofApi('AWS::ApiGatewayV2::Stage', host);
    return JSON.parse((AccessLogSettings as { Format: string }).Format);
  };

  it.each(allHosts)('%s: a line of JSON a request', (host) => {
    expect(formatOf(host)).toMatchObject({
      requestId: '$context.requestId',
      ip: '$context.identity.sourceIp',
      routeKey: '$context.routeKey',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      error: '$context.error.message',
    });
  });

  it.each(allHosts)('%s: neither path nor query, header nor body', (host) => {
    for (const variable of Object.values(formatOf(host))) {
      expect(variable).toMatch(/^\$context\.[\w.]+$/);
      expect(variable).not.toMatch(/path|query|header|authorizer|userAgent/i);
    }
  });

  it.each(allHosts)('%s: kept for a month under a name of its own', (host) => {
    template.hasResource('AWS::Logs::LogGroup', {
      DeletionPolicy: 'Delete',
      Properties: {
        LogGroupName: `/aws/vendedlogs/handbill/prod/${host}`,
        RetentionInDays: 30,
      },
    });
  });
});

describe("the APIs' limits", () => {
  const limit = (rate: number, burst: number) => ({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
  });

  it.each(allHosts)('%s: for every route', (host) => {
    const { DefaultRouteSettings } = ofApi('AWS::ApiGatewayV2::Stage', host);
    expect(DefaultRouteSettings).toEqual(limit(100, 200));
  });

  it('are stricter where a call costs much', () => {
    const costly = [
      'POST /api/auth/login',
      'POST /api/auth/register',
      'POST /api/auth/reset-password',
      'POST /reset',
      'POST /api/markdown',
      'POST /api/share',
      'GET /api/share',
      'HEAD /api/share',
      'POST /s/{id}/open',
    ];
    expect(ofApi('AWS::ApiGatewayV2::Stage', 'service')['RouteSettings']).toEqual(
      Object.fromEntries(costly.map((routeKey) => [routeKey, limit(20, 40)])),
    );
  });

  it('wait for the routes that they name', () => {
    const stages = template.findResources('AWS::ApiGatewayV2::Stage', {
      Properties: { ApiId: { Ref: apiIds.service } },
    });
    const { DependsOn } = Object.values(stages)[0] as { DependsOn: string[] };
    const routes = new Map(resources('AWS::ApiGatewayV2::Route'));
    const waitedFor = DependsOn.map((id) => routes.get(id)?.['RouteKey']);
    expect(waitedFor).toEqual(
      expect.arrayContaining(
        Object.keys(ofApi('AWS::ApiGatewayV2::Stage', 'service')['RouteSettings'] as Properties),
      ),
    );
  });

  it('can be chosen', () => {
    synthesize({ throttleRate: '7', throttleBurst: 3 }).allResourcesProperties(
      'AWS::ApiGatewayV2::Stage',
      { DefaultRouteSettings: limit(7, 3) },
    );
  });
});

describe('CORS', () => {
  const corsOf = (from: Template, host: Host): unknown =>
    Object.values(from.findResources('AWS::ApiGatewayV2::Api'))
      .map(({ Properties }) => Properties)
      .find(({ Name }) => Name === `handbill-prod-${host}`)?.CorsConfiguration;

  it('lets no page of another origin call unless one was chosen', () => {
    for (const host of allHosts) expect(corsOf(template, host)).toBeUndefined();
  });

  it("lets the chosen origins' pages call the service with credentials, and nobody the snippets", () => {
    const open = synthesize({ corsOrigins: 'https://app.example.com, https://b.example.com' });
    expect(corsOf(open, 'service')).toEqual({
      AllowOrigins: ['https://app.example.com', 'https://b.example.com'],
      AllowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'x-share-password',
      ],
      ExposeHeaders: ['etag', 'x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy'],
      AllowCredentials: true,
      MaxAge: 3_600,
    });
    expect(corsOf(open, 'snippets')).toBeUndefined();
  });

  it("lets anybody's page call without credentials", () => {
    expect(corsOf(synthesize({ corsOrigins: '*' }), 'service')).toMatchObject({
      AllowOrigins: ['*'],
      AllowCredentials: false,
    });
  });
});

describe('the functions', () => {
  it('are one for each group and one for the rest of each host', () => {
    template.resourceCountIs('AWS::Lambda::Function', functionNames.length);
  });

  it.each(functionNames)('%s runs on Node.js 24 on arm64, in production, within 30 s', (group) => {
    const [, properties] = functionOf(group);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Environment: { Variables: { NODE_ENV: 'production' } },
    });
    expect(properties['Timeout']).toBeLessThan(30);
    expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(properties).not.toHaveProperty('TracingConfig');
  });

  it.each(['auth', 'share', 'markdown'])('%s has a whole vCPU', (group) => {
    expect(functionOf(group)[1]['MemorySize']).toBe(1_769);
  });

  it.each(functionNames)(
    '%s has a log that forgets after a month and goes with the stack',
    (group) => {
      const { LoggingConfig } = functionOf(group)[1] as { LoggingConfig: { LogGroup: Properties } };
      const log = template.toJSON()['Resources'][LoggingConfig.LogGroup['Ref'] as string];
      expect(log).toMatchObject({
        Type: 'AWS::Logs::LogGroup',
        Properties: { RetentionInDays: 30 },
        DeletionPolicy: 'Delete',
      });
    },
  );

  it('have roles of their own', () => {
    const roles = functionNames.map((name) => JSON.stringify(functionOf(name)[1]['Role']));
    expect(new Set(roles).size).toBe(functionNames.length);
  });

  it('have in their environment what they use and nothing else', () => {
    const endpoint = (host: Host) => ({ 'Fn::GetAtt': [apiIds[host], 'ApiEndpoint'] });
    const production = { NODE_ENV: 'production' };
    const table = { ...production, TABLE_NAME: { Ref: tableId } };
    const signed = { ...table, JWT_SECRET_ID: { Ref: secretId } };
    const PUBLIC_URL = endpoint('service');
    const expected: Record<string, unknown> = {
      auth: signed,
      users: { ...signed, PUBLIC_URL },
      share: { ...signed, PUBLIC_URL },
      markdown: production,
      checkin: signed,
      pages: { ...signed, SNIPPETS_URL: endpoint('snippets') },
      docs: production,
      health: table,
      snippet: { ...signed, PUBLIC_URL },
      'service fallback': { ...production, API_HOST: 'service' },
      'snippets fallback': { ...production, API_HOST: 'snippets' },
    };
    expect(Object.fromEntries(functionNames.map((name) => [name, settingsOf(name)]))).toEqual(
      expected,
    );
  });

  it('take a setting that was chosen, those that use it', () => {
    const chosen = synthesize({ PASSWORD_COST: '11', PUBLIC_URL: 'https://share.example.com' });
    const withSetting = (name: string, value: string) =>
      Object.keys(
        chosen.findResources('AWS::Lambda::Function', {
          Properties: { Environment: { Variables: { [name]: value } } },
        }),
      );
    expect(withSetting('PASSWORD_COST', '11').sort()).toEqual(
      [functionOf('auth')[0], functionOf('users')[0]].sort(),
    );
    expect(withSetting('PUBLIC_URL', 'https://share.example.com').sort()).toEqual(
      [functionOf('share')[0], functionOf('snippet')[0], functionOf('users')[0]].sort(),
    );
  });
});

describe('the rights of the functions', () => {
  it.each(functionNames)(
    '%s may do single actions to single resources, nothing to all',
    (group) => {
      for (const { Action, Resource } of statementsOf(group)) {
        expect([Action].flat().join()).not.toContain('*');
        expect(JSON.stringify(Resource)).not.toContain('*');
      }
    },
  );

  it('come from no managed policy', () => {
    for (const [, role] of resources('AWS::IAM::Role')) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  it.each(functionNames)('%s knows the table and the secret only if it may use them', (group) => {
    const settings = settingsOf(group);
    const statements = statementsOf(group);
    expect('TABLE_NAME' in settings).toBe(actionsOf(group, 'dynamodb').length > 0);
    expect(mentions(statements, tableId)).toBe('TABLE_NAME' in settings);
    expect('JWT_SECRET_ID' in settings).toBe(actionsOf(group, 'secretsmanager').length > 0);
    expect(mentions(statements, secretId)).toBe('JWT_SECRET_ID' in settings);
  });

  it('let Markdown be converted without the table and the secret', () => {
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

  it('let deletes be done by the groups that end sessions and remove users only', () => {
    const deleting = groups.filter((group) => actionsOf(group, 'dynamodb').includes('DeleteItem'));
    expect(deleting).toEqual(['auth', 'users']);
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

describe('the bucket of files', () => {
  const bucket = 'AWS::S3::Bucket';

  it('is private, encrypted, and kept when the stack goes', () => {
    template.hasResource(bucket, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
          ],
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        VersioningConfiguration: Match.absent(),
      },
    });
  });

  it('forgets uploads that nobody ended', () => {
    template.hasResourceProperties(bucket, {
      LifecycleConfiguration: {
        Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }],
      },
    });
  });

  it('can be read by no function yet', () => {
    for (const name of functionNames) expect(actionsOf(name, 's3')).toEqual([]);
  });
});

describe('the queue of jobs', () => {
  it('gives a job up after five tries and keeps it for a fortnight', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 360,
      SqsManagedSseEnabled: true,
      RedrivePolicy: {
        maxReceiveCount: 5,
        deadLetterTargetArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('DeadLetters'), 'Arn'] },
      },
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.absent(),
    });
  });
});

describe('what holds data', () => {
  it.each([
    ['AWS::S3::BucketPolicy', 's3:*', 1],
    ['AWS::SQS::QueuePolicy', 'sqs:*', 2],
  ])('is reached over TLS only: %s', (type, Action, count) => {
    const policies = resources(type);
    expect(policies).toHaveLength(count);
    for (const [, { PolicyDocument }] of policies) {
      expect((PolicyDocument as { Statement: unknown[] }).Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    }
  });
});

describe('the alarms', () => {
  const alarms = resources('AWS::CloudWatch::Alarm');
  const metricsOf = ({ Metrics, MetricName }: Properties): unknown[] =>
    MetricName ? [MetricName] : (Metrics as Properties[]).filter(({ MetricStat }) => MetricStat);

  it('are few, because each metric of one is paid for past ten', () => {
    expect(alarms.map(([, { AlarmName }]) => AlarmName).sort()).toEqual([
      'handbill-prod-functions-throttled',
      'handbill-prod-jobs-dead',
      'handbill-prod-jobs-late',
      'handbill-prod-service-5xx',
      'handbill-prod-service-latency',
      'handbill-prod-snippets-5xx',
      'handbill-prod-snippets-latency',
      'handbill-prod-table-throttled',
    ]);
    expect(alarms.flatMap(([, alarm]) => metricsOf(alarm)).length).toBeLessThanOrEqual(10);
  });

  it('tell nobody unless an address was chosen', () => {
    template.resourceCountIs('AWS::SNS::Topic', 0);
    for (const [, alarm] of alarms) expect(alarm).not.toHaveProperty('AlarmActions');
  });

  it('tell the chosen address, through a topic that only they can write to', () => {
    const watched = synthesize({ alarmEmail: 'ops@example.com' });
    const topic = { Ref: Object.keys(watched.findResources('AWS::SNS::Topic'))[0] };
    watched.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: topic,
    });
    watched.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [topic] });
    watched.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Action: 'sns:Publish' }),
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });
});

describe('the dashboard', () => {
  it('shows every function, both APIs, the table and the queues', () => {
    const [[, dashboard] = ['', {}]] = resources('AWS::CloudWatch::Dashboard');
    expect(dashboard['DashboardName']).toBe('handbill-prod');
    const ids = [
      ...functionNames.map((name) => functionOf(name)[0]),
      ...Object.values(apiIds),
      tableId,
    ];
    for (const id of ids) expect(mentions(dashboard['DashboardBody'], id)).toBe(true);
    const text = JSON.stringify(dashboard['DashboardBody']);
    for (const [id] of resources('AWS::SQS::Queue')) expect(text).toContain(id);
  });
});
