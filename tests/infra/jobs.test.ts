import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  deadLettersId,
  functionNames,
  functionOf,
  jobsQueueId,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';

const [consumerId, consumer] = functionOf('jobs');

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe('the queue of jobs', () => {
  it('gives a job up after five tries, each six times as long as the function has, and keeps it for a fortnight', () => {
    expect(consumer['Timeout']).toBe(60);
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 360,
      MessageRetentionPeriod: 4 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 5, deadLetterTargetArn: arnOf(deadLettersId) },
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.absent(),
    });
  });

  it('hands batches to the function, which says what failed, and two at once at most', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 1);
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: arnOf(jobsQueueId),
      FunctionName: { Ref: consumerId },
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 20,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('takes jobs from the functions that make some, and from no other', () => {
    const sending = functionNames.filter((name) => actionsOf(name, 'sqs').includes('SendMessage'));
    const makers = ['auth', 'files', 'messages', 'share', 'share-page'];
    expect(sending).toEqual([...makers, 'jobs']);
    for (const name of makers) expect(actionsOf(name, 'sqs')).toEqual(['SendMessage']);
  });

  it('may lead from job to job as often as the work takes: none is ended after sixteen', () => {
    const allowed = functionNames.filter(
      (name) => functionOf(name)[1]['RecursiveLoop'] === 'Allow',
    );
    expect(allowed).toEqual(['jobs']);
  });

  it('is read by the function of jobs only', () => {
    const reading = functionNames.filter((name) =>
      actionsOf(name, 'sqs').includes('ReceiveMessage'),
    );
    expect(reading).toEqual(['jobs']);
  });
});

describe('the schedule', () => {
  it('calls the function every minute, and makes up for no minute', () => {
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

describe('the function of jobs', () => {
  it('may do to the table what its jobs do, and has no signing secret', () => {
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

describe('mail', () => {
  it('can be sent by no function unless MAIL_FROM was chosen', () => {
    for (const name of functionNames) expect(actionsOf(name, 'ses')).toEqual([]);
  });

  it('can be sent from that address by the function of jobs only', () => {
    const chosen = synthesize({ MAIL_FROM: 'service@example.com' });
    const identities = {
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':ses:',
          { Ref: 'AWS::Region' },
          ':',
          { Ref: 'AWS::AccountId' },
          ':identity/*',
        ],
      ],
    };
    const policies = Object.values(chosen.findResources('AWS::IAM::Policy')).filter((policy) =>
      JSON.stringify(policy).includes('ses:'),
    );
    expect(policies).toHaveLength(1);
    expect(policies[0]?.['Properties'].PolicyDocument.Statement).toContainEqual({
      Effect: 'Allow',
      Action: 'ses:SendEmail',
      Resource: identities,
      Condition: { StringEquals: { 'ses:FromAddress': 'service@example.com' } },
    });
    const knowing = chosen.findResources('AWS::Lambda::Function', {
      Properties: { Environment: { Variables: { MAIL_FROM: 'service@example.com' } } },
    });
    expect(Object.keys(knowing).sort()).toEqual(
      ['auth', 'users', 'site', 'password', 'jobs'].map((name) => functionOf(name)[0]).sort(),
    );
  });
});
