import { MessageRejected } from '@aws-sdk/client-sesv2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { secretWords } from '../../support/aws/errors.ts';
import { type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { call } from '../../support/service/call.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

const { watch, respond } = useMockedService();

const { root } = useNewPeople({ root: 'super_admin' });
beforeEach(async () => {
  const account = 'https://sqs.us-east-1.amazonaws.com/123456789012';
  vi.stubEnv('MAIL_QUEUE_URL', `${account}/mail`);
  vi.stubEnv('ACTIVITY_QUEUE_URL', `${account}/activity`);
  // As without a queue of its own.
  vi.stubEnv('HOOKS_QUEUE_URL', `${account}/mail`);
  vi.stubEnv('JOBS_QUEUE_URL', `${account}/jobs`);
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  respond('GetQueueAttributes', () => ({
    Attributes: {
      ApproximateNumberOfMessages: '3',
      RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:jobs-dead"}',
    },
  }));
  return () => void vi.unstubAllEnvs();
});

const check = () => call('GET /api/settings/health', { token: root.token });
const sendTest = () => call('POST /api/settings/test-mail', { token: root.token });
const denied = () =>
  Object.assign(new Error('arn:aws:iam::123456789012:role/handbill-test is not authorized'), {
    name: 'AccessDenied',
    $fault: 'client',
    $metadata: { httpStatusCode: 403 },
  });
const failing = (names: readonly string[]) => (one: Sent) =>
  names.includes(one.name) ? denied() : undefined;

describe('GET /api/settings/health', () => {
  it('asks each service and queue once, and the queue of dead letters', async () => {
    const { result, sent } = await watch(check);
    expect(result.body.data).toMatchObject({ table: 'ok', bucket: 'ok', queue: 'ok' });
    expect(sent.filter(({ name }) => name === 'PutObject')).toMatchObject([
      { input: { Key: 'texts/health' } },
    ]);
    const queues = sent.filter(({ name }) => name === 'GetQueueAttributes');
    expect(queues.map(({ input }) => input.QueueUrl)).toEqual([
      'https://sqs.us-east-1.amazonaws.com/123456789012/mail',
      'https://sqs.us-east-1.amazonaws.com/123456789012/activity',
      'https://sqs.us-east-1.amazonaws.com/123456789012/jobs',
      'https://sqs.us-east-1.amazonaws.com/123456789012/jobs-dead',
    ]);
  });

  it.each([
    ['table', 'Query'],
    ['bucket', 'PutObject'],
    ['queue', 'GetQueueAttributes'],
  ])('says that the %s fails, and no more', async (part, name) => {
    const { result } = await watch(check, failing([name]));
    const parts = { table: 'ok', bucket: 'ok', queue: 'ok', [part]: 'failed' };
    expect(result).toMatchObject({ status: 200, body: { data: parts } });
    const text = JSON.stringify(result.body);
    for (const word of secretWords) expect(text).not.toContain(word);
  });
});

describe('POST /api/settings/test-mail', () => {
  it('becomes 503 when SES takes nothing', async () => {
    const { result } = await watch(sendTest, failing(['SendEmail']));
    expect([result.status, result.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    for (const word of secretWords) expect(JSON.stringify(result.body)).not.toContain(word);
  });

  it('becomes 409 when SES rejects the address', async () => {
    const rejected = new MessageRejected({ message: 'Address blocked', $metadata: {} });
    const { result } = await watch(sendTest, ({ name }) =>
      name === 'SendEmail' ? rejected : undefined,
    );
    expect([result.status, result.body.error.message]).toEqual([
      409,
      `The email service rejects emails to ${root.email}.`,
    ]);
  });
});
