import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  deadLettersId,
  functionNames,
  functionOf,
  mentions,
  queueIds,
  statementsOf,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';

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
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 3);
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ...batches,
      EventSourceArn: arnOf(queueIds[queue]),
      FunctionName: { Ref: consumerId },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('delivers as many batches at once as the settings say', () => {
    const chosen = synthesize({
      MAIL_CONCURRENCY: '3',
      activityConcurrency: '4',
      jobConcurrency: '5',
    });
    const sources = Object.values(chosen.findResources('AWS::Lambda::EventSourceMapping'));
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
    expect(mayMail).toEqual(['auth', 'jobs']);
    const sending = functionNames.filter((name) => actionsOf(name, 'sqs').includes('SendMessage'));
    const makers = ['auth', 'files', 'messages', 'share', 'share-page'];
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
