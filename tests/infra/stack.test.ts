import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  apiIds,
  functionNames,
  functionOf,
  mentions,
  type Properties,
  resources,
  secretId,
  synthesize,
  tableId,
  template,
  theOnly,
} from '../support/infra/stack-template.ts';

describe('the stack', () => {
  it('has a resource for each route, six for each function, 25 others: below the 400 that leave room', () => {
    const count = Object.keys(template.toJSON()['Resources']).length;
    const routes = resources('AWS::ApiGatewayV2::Route').length;
    expect(count - routes - 6 * functionNames.length).toBe(25);
    expect(count).toBeLessThan(400);
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
        Rules: [
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
          { ExpirationInDays: 2, Prefix: 'uploads/', Status: 'Enabled' },
        ],
      },
    });
  });

  it('is used by the functions that need texts or files, and by no other', () => {
    const used = functionNames
      .map((name) => [name, actionsOf(name, 's3').sort()] as const)
      .filter(([, actions]) => actions.length > 0);
    expect(Object.fromEntries(used)).toEqual({
      documents: ['GetObject', 'PutObject'],
      files: ['DeleteObject', 'GetObject', 'PutObject'],
      messages: ['GetObject', 'PutObject'],
      share: ['GetObject', 'PutObject'],
      'share-page': ['GetObject'],
      snippet: ['GetObject'],
      jobs: ['DeleteObject', 'GetObject', 'PutObject'],
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
