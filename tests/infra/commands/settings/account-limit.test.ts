import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkLimit } from '../../../../infra/commands/settings/account-limit.ts';
import { readStackSettings } from '../../../../infra/stack/stack-settings.ts';

const lambda = mockClient(LambdaClient);
let printed: string;
let problems: string;

beforeEach(() => {
  lambda.reset();
  [printed, problems] = ['', ''];
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    problems += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const check = (settings: Readonly<Record<string, string>> = {}): Promise<void> =>
  checkLimit(readStackSettings((name) => settings[name]));

const stubLimit = (ConcurrentExecutions: number, UnreservedConcurrentExecutions?: number): void => {
  const AccountLimit = { ConcurrentExecutions, UnreservedConcurrentExecutions };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
};

const howToRaise = [
  'Ask AWS for 1000 “Concurrent executions”, which cost nothing: https://eu-central-1.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/L-B99A9384',
  'or `aws service-quotas request-service-quota-increase --region eu-central-1 --service-code lambda --quota-code L-B99A9384 --desired-value 1000`',
  '',
];

describe('the limit of an account', () => {
  it('of 10 leaves 5 executions for people, and is explained', async () => {
    stubLimit(10);
    await check();
    expect(printed.split('\n')).toEqual([
      'Lambda runs up to 10 functions at once in this account in eu-central-1. Background work can hold 5 of them (activityConcurrency 2, jobConcurrency 2, the scheduled run 1) and leaves 5 for people, while a page asks for up to 6 at once: beyond it requests get a 503, and jobs wait and are tried again.',
      'Background work already has the least that SQS takes.',
      ...howToRaise,
    ]);
  });

  it('is compared with what the operator chose, and emails if there are any', async () => {
    stubLimit(1_000, 110);
    await check({
      activityConcurrency: '50',
      MAIL_CONCURRENCY: '100',
      MAIL_FROM: 'mail@example.com',
    });
    expect(printed.split('\n')).toEqual([
      'Lambda runs up to 1000 functions at once in this account in eu-central-1, of which functions have reserved 890. Background work can hold 153 of them (activityConcurrency 50, jobConcurrency 2, MAIL_CONCURRENCY 100, the scheduled run 1) and leaves 0 for people, while a page asks for up to 6 at once: beyond it requests get a 503, and jobs wait and are tried again.',
      'Lower activityConcurrency and MAIL_CONCURRENCY, to 2 at least, or raise the limit.',
      ...howToRaise.slice(0, -1),
      'Webhooks share a queue with emails. This account has room for one of their own: -c webhookConcurrency=2, for $0.26 a month.',
      '',
    ]);
  });

  it('of 1,000 is none that people notice, and has room for webhooks', async () => {
    stubLimit(1_000);
    await check();
    expect(printed).toBe(
      'Webhooks share a queue with other jobs. This account has room for one of their own: -c webhookConcurrency=2, for $0.26 a month.\n',
    );
    printed = '';
    await check({ webhookConcurrency: '2' });
    expect(printed).toBe('');
  });

  it.each([
    ['AccessDeniedException', 'not authorized', 'your credentials lack lambda:GetAccountSettings'],
    ['TimeoutError', 'No answer', 'No answer'],
  ])('does not stop a deployment if it can’t be read: %s', async (name, message, reason) => {
    lambda.on(GetAccountSettingsCommand).rejects(Object.assign(new Error(message), { name }));
    await check();
    expect(problems).toBe(
      `How many functions may run at once in this account isn’t known (${reason}). A new account has 10; the deployment goes on.\n`,
    );
  });
});
