import { describe, expect, it } from 'vitest';
import {
  bounceOf,
  complaintOf,
  configurationSetId,
  mailTemplate,
  messagesOf,
} from '../support/infra/mail-events.ts';
import {
  actionsOf,
  functionNames,
  functionOf,
  queueIds,
  template,
} from '../support/infra/stack-template.ts';

const at = '2026-11-21T12:00:00Z';
const to = ['ann@example.com'];

const arnOf = (resource: unknown[]) => ({
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
    const policies = Object.values(mailTemplate.findResources('AWS::IAM::Policy')).filter(
      (policy) => JSON.stringify(policy).includes('ses:'),
    );
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies)
      expect(Properties.PolicyDocument.Statement).toContainEqual({
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource: [
          arnOf([':configuration-set/', { Ref: configurationSetId }]),
          arnOf([':identity/*']),
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
      ids(['auth', 'users', 'settings', 'site', 'password', 'jobs']),
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
    expect(rules).toHaveLength(2);
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
