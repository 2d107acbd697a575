import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  chosen,
  deadLettersId,
  functionNames,
  functionOf,
  inlineStatements,
  mentions,
  queueIds,
  statementsOf,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';
import {
  bounceOf,
  complaintOf,
  configurationSetId,
  mailTemplate,
  messagesOf,
} from './mail-events.ts';

const [consumerId, consumer] = functionOf('jobs');

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe('the queues of jobs', () => {
  it.each(Object.values(queueIds))(
    'moves a job to the dead-letter queue after five attempts: %s',
    (id) => {
      expect(consumer['Timeout']).toBe(60);
      expect(template.findResources('AWS::SQS::Queue')[id]?.['Properties']).toMatchObject({
        VisibilityTimeout: 360,
        MessageRetentionPeriod: 4 * 86_400,
        SqsManagedSseEnabled: true,
        RedrivePolicy: { maxReceiveCount: 5, deadLetterTargetArn: arnOf(deadLettersId) },
      });
    },
  );

  it('retains dead letters for 14 days', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.absent(),
    });
  });

  it.each([
    ['mail', { BatchSize: 10, MaximumBatchingWindowInSeconds: Match.absent() }],
    ['activity', { BatchSize: 300, MaximumBatchingWindowInSeconds: 20 }],
    ['work', { BatchSize: 100, MaximumBatchingWindowInSeconds: 1 }],
  ] as const)('delivers up to two batches at once of %s', (queue, batches) => {
    mailTemplate.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ...batches,
      EventSourceArn: arnOf(queueIds[queue]),
      FunctionName: { Ref: consumerId },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('polls the queue of emails only where there are any', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 2);
    mailTemplate.resourceCountIs('AWS::Lambda::EventSourceMapping', 3);
  });

  it('delivers as many batches at once as the settings say', () => {
    const configured = synthesize(chosen);
    const sources = Object.values(configured.findResources('AWS::Lambda::EventSourceMapping'));
    const of = sources.map(({ Properties: { EventSourceArn, ScalingConfig } }) => [
      EventSourceArn['Fn::GetAtt'][0],
      ScalingConfig.MaximumConcurrency,
    ]);
    expect(Object.fromEntries(of)).toEqual({
      [queueIds.mail]: 3,
      [queueIds.activity]: 4,
      [queueIds.work]: 5,
    });
  });

  it('accepts jobs only from functions that enqueue jobs of its kind', () => {
    const mayMail = functionNames.filter((name) =>
      statementsOf(name).some(
        ({ Action, Resource }) =>
          [Action].flat().includes('sqs:SendMessage') && mentions(Resource, queueIds.mail),
      ),
    );
    expect(mayMail).toEqual(['auth', 'share-page', 'jobs']);
    const sending = functionNames.filter((name) => actionsOf(name, 'sqs').includes('SendMessage'));
    const makers = [
      'auth',
      'files',
      'messages',
      'share',
      'webhooks',
      'password',
      'provider-sign-in',
      'share-page',
    ];
    expect(sending).toEqual([...makers, 'jobs']);
    for (const name of makers) expect(actionsOf(name, 'sqs')).toEqual(['SendMessage']);
  });

  it('allows recursive invocations of the jobs function', () => {
    const allowed = functionNames.filter(
      (name) => functionOf(name)[1]['RecursiveLoop'] === 'Allow',
    );
    expect(allowed).toEqual(['jobs']);
  });

  it('is consumed only by the jobs function', () => {
    const reading = functionNames.filter((name) =>
      actionsOf(name, 'sqs').includes('ReceiveMessage'),
    );
    expect(reading).toEqual(['jobs']);
  });
});

describe('the schedule', () => {
  it('invokes the function every minute without retries', () => {
    template.resourceCountIs('AWS::Events::Rule', 1);
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [Match.objectLike({ Arn: arnOf(consumerId) })],
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: consumerId },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });
});

describe('the jobs function', () => {
  it('has only the table permissions of its jobs, and no signing secret', () => {
    expect(actionsOf('jobs', 'dynamodb')).toEqual([
      'BatchGetItem',
      'BatchWriteItem',
      'ConditionCheckItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ]);
    expect(actionsOf('jobs', 'secretsmanager')).toEqual([]);
  });
});

const at = '2026-11-21T12:00:00Z';
const to = ['ann@example.com'];

const sesArnOf = (resource: unknown[]) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':ses:',
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      ...resource,
    ],
  ],
});

describe('email', () => {
  it('can’t be sent by any function without MAIL_FROM', () => {
    for (const name of functionNames) expect(actionsOf(name, 'ses')).toEqual([]);
    template.resourceCountIs('AWS::SES::ConfigurationSet', 0);
  });

  it('can be sent from MAIL_FROM only by the jobs and the settings function', () => {
    const roles = Object.values(mailTemplate.findResources('AWS::IAM::Role')).filter((role) =>
      JSON.stringify(role).includes('ses:'),
    );
    expect(roles).toHaveLength(2);
    for (const { Properties } of roles)
      expect(inlineStatements(Properties)).toContainEqual({
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource: [
          sesArnOf([':configuration-set/', { Ref: configurationSetId }]),
          sesArnOf([':identity/*']),
        ],
        Condition: { StringEquals: { 'ses:FromAddress': 'service@example.com' } },
      });
    const knowing = (name: string, value: unknown) =>
      Object.keys(
        mailTemplate.findResources('AWS::Lambda::Function', {
          Properties: { Environment: { Variables: { [name]: value } } },
        }),
      ).sort();
    const ids = (names: readonly string[]) => names.map((name) => functionOf(name)[0]).sort();
    expect(knowing('MAIL_FROM', 'service@example.com')).toEqual(
      ids([
        ...['auth', 'users', 'settings', 'share', 'mcp', 'site', 'password', 'share-page'],
        ...['jobs', 'exports'],
      ]),
    );
    expect(knowing('MAIL_CONFIGURATION_SET', { Ref: configurationSetId })).toEqual(
      ids(['settings', 'jobs']),
    );
  });
});

describe('an address that refuses an email', () => {
  it('is put on the suppression list of the account', () => {
    mailTemplate.hasResourceProperties('AWS::SES::ConfigurationSet', {
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    mailTemplate.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      ConfigurationSetName: { Ref: configurationSetId },
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        EventBridgeDestination: {
          EventBusArn: {
            'Fn::Join': [
              '',
              [
                'arn:',
                { Ref: 'AWS::Partition' },
                ':events:',
                { Ref: 'AWS::Region' },
                ':',
                { Ref: 'AWS::AccountId' },
                ':event-bus/default',
              ],
            ],
          },
        },
      },
    });
  });

  it.each([
    ['bounce', bounceOf(at, to)],
    ['complaint', complaintOf(at, to)],
    ['complaint', complaintOf(at, to, 'abuse')],
  ])('is a job of the queue of work: %s', (reason, event) => {
    const messages = messagesOf(event);
    expect(messages.map(({ queue }) => queue)).toEqual([queueIds.work]);
    expect(JSON.parse(messages[0]?.body ?? '')).toMatchObject({
      id: event['id'],
      kind: 'email-refused',
      data: { reason, at, recipients: [{ emailAddress: to[0] }] },
    });
  });

  it('of a recipient link is a job about the link, too', () => {
    const messages = messagesOf(bounceOf(at, to, 'Permanent', { link: ['to_1'] }));
    expect(messages.map(({ body }) => JSON.parse(body))).toMatchObject([
      { kind: 'email-refused' },
      {
        kind: 'share-link-refused',
        data: { reason: 'bounce', at, recipients: [{ status: '5.1.1' }], links: ['to_1'] },
      },
    ]);
  });

  it('lets only its rules send to that queue', () => {
    const [, policy] =
      Object.entries(mailTemplate.findResources('AWS::SQS::QueuePolicy')).find(([id]) =>
        id.includes('Work'),
      ) ?? [];
    const statements = policy?.['Properties'].PolicyDocument.Statement as Record<string, unknown>[];
    const sending = statements.filter(({ Effect }) => Effect === 'Allow');
    const rules = Object.entries(mailTemplate.findResources('AWS::Events::Rule')).filter(
      ([, { Properties }]) => Properties.EventPattern,
    );
    expect(rules).toHaveLength(4);
    expect(sending.map(({ Condition }) => Condition)).toEqual(
      rules.map(([id]) => ({ ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [id, 'Arn'] } } })),
    );
  });
});

describe('an event about an email', () => {
  it.each([
    ['of a temporary bounce', bounceOf(at, to, 'Transient')],
    ['of a complaint that is taken back', complaintOf(at, to, 'not-spam')],
    ['of another stage', { ...bounceOf(at, to), detail: { bounce: { bounceType: 'Permanent' } } }],
  ])('does nothing: %s', (_, event) => {
    expect(messagesOf(event)).toEqual([]);
  });
});
