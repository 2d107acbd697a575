import {
  AccountSuspendedException,
  BadRequestException,
  InternalServiceErrorException,
  LimitExceededException,
  MailFromDomainNotVerifiedException,
  MessageRejected,
  NotFoundException,
  SESv2Client,
  SESv2ServiceException,
  SendEmailCommand,
  SendingPausedException,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendMail } from '../../../shared/mail/mail.ts';
import { DeferredError } from '../../../shared/runtime/deferred.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../../shared/runtime/telemetry.ts';
import { runWithin } from '../../../shared/runtime/time-left.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';

vi.mock('../../../shared/runtime/backoff.ts', () => import('../../support/faults/no-pauses.ts'));

useVirtualTime('2026-11-21T12:00:00Z');

const ses = mockClient(SESv2Client);

const mail = {
  to: 'ann@example.org',
  subject: 'Grüße',
  text: 'https://handbill.test/reset?token=7.secret',
  html: '<p>https://handbill.test/reset?token=7.secret</p>',
};

/** What must stand in no log line: SES names addresses and ARNs in its messages. */
const secrets = /ann@example|handbill@example|arn:aws|123456789012|token|secret/;

const answered = (httpStatusCode: number, message = 'Refused: ann@example.org') => ({
  message,
  $metadata: { httpStatusCode, attempts: 1, totalRetryDelay: 0 },
});

const unknown = (name: string, $fault: 'client' | 'server', status: number) =>
  new SESv2ServiceException({
    ...answered(status, 'arn:aws:iam::123456789012:role/jobs may not send from handbill@example'),
    name,
    $fault,
  });

const withoutAnswer = (name: string, code?: string): Error =>
  Object.assign(new Error('connect 127.0.0.1:1'), {
    name,
    ...(code !== undefined && { code }),
    $metadata: { attempts: 1, totalRetryDelay: 0 },
  });

beforeEach(() => {
  ses.reset();
  process.env['MAIL_FROM'] = 'handbill@example.com';
  vi.spyOn(getLogger(), 'error');
  vi.spyOn(getMetrics(), 'addMetric');
});
afterEach(() => vi.restoreAllMocks());

/** Sends a mail that SES answers with this error; says what becomes of it, and what was logged and counted. */
const refuse = async (error: Error) => {
  ses.on(SendEmailCommand).rejects(error);
  const outcome: unknown = await sendMail(mail).catch((reason) => reason);
  return {
    outcome,
    tries: ses.calls().length,
    logged: vi.mocked(getLogger().error).mock.calls,
    counted: vi.mocked(getMetrics().addMetric).mock.calls,
  };
};

describe('sendMail', () => {
  it('sends one command with both bodies, to one address, from MAIL_FROM with the product name', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: '1' });
    await sendMail(mail);
    expect(ses.calls().map(({ args }) => args[0].input)).toEqual([
      {
        FromEmailAddress: 'Handbill <handbill@example.com>',
        Destination: { ToAddresses: [mail.to] },
        Content: {
          Simple: {
            Subject: { Data: mail.subject, Charset: 'UTF-8' },
            Body: {
              Text: { Data: mail.text, Charset: 'UTF-8' },
              Html: { Data: mail.html, Charset: 'UTF-8' },
            },
            Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
          },
        },
      },
    ]);
  });

  it('sends nothing while email is disabled', async () => {
    process.env['MAIL_FROM'] = '';
    await expect(sendMail(mail)).rejects.toThrow('Email is disabled');
    expect(ses.calls()).toEqual([]);
  });
});

describe('an email that SES temporarily rejects', () => {
  it.each([
    ['InternalServiceErrorException', new InternalServiceErrorException(answered(500))],
    ['ServiceUnavailable', unknown('ServiceUnavailable', 'server', 503)],
    ['TimeoutError', withoutAnswer('TimeoutError')],
    ['ECONNREFUSED', withoutAnswer('Error', 'ECONNREFUSED')],
    ['CredentialsProviderError', new Error('Could not load credentials')],
  ])('fails as it is, and is tried once: %s', async (_, error) => {
    expect(await refuse(error)).toEqual({ outcome: error, tries: 1, logged: [], counted: [] });
  });
});

describe('an email that SES throttles', () => {
  const throttling = [
    ['TooManyRequestsException', new TooManyRequestsException(answered(429))],
    ['LimitExceededException', new LimitExceededException(answered(400))],
    ['ThrottlingException', unknown('ThrottlingException', 'client', 400)],
  ] as const;
  const within = (ms: number) => {
    const end = Date.now() + ms;
    return { getRemainingTimeInMillis: () => end - Date.now() } as Context;
  };

  it.each(throttling)('is tried again until it is sent: %s', async (_, error) => {
    ses.on(SendEmailCommand).rejectsOnce(error).rejectsOnce(error).resolves({ MessageId: '1' });
    expect(await runWithin(within(60_000), () => sendMail(mail))).toBe(true);
    expect(ses.calls()).toHaveLength(3);
    expect(vi.mocked(getMetrics().addMetric).mock.calls).toEqual([
      ['EmailsThrottled', 'Count', 1],
      ['EmailsThrottled', 'Count', 1],
    ]);
  });

  it.each(throttling)('is deferred when no time is left to wait: %s', async (_, error) => {
    ses.on(SendEmailCommand).rejects(error);
    const outcome = await runWithin(within(20_000), () => sendMail(mail).catch((reason) => reason));
    expect(outcome).toBeInstanceOf(DeferredError);
    expect(outcome.delaySeconds).toBeGreaterThanOrEqual(30);
    expect(JSON.stringify(serializeError(outcome))).not.toMatch(secrets);
    expect(ses.calls().length).toBeGreaterThan(3);
  });
});

describe('an email that SES permanently rejects', () => {
  it.each([
    ['BadRequestException', new BadRequestException(answered(400, 'Illegal address ann@example'))],
    ['MessageRejected', new MessageRejected(answered(400, 'Virus for ann@example.org'))],
  ])('is over, logged and counted: %s', async (name, error) => {
    const { outcome, tries: attempts, logged, counted } = await refuse(error);
    expect({ outcome, tries: attempts }).toEqual({ outcome: false, tries: 1 });
    expect(logged).toEqual([
      ['Email rejected', { error: { name, status: 400, at: expect.any(String) } }],
    ]);
    expect(counted).toEqual([['EmailsRejected', 'Count', 1]]);
    expect(JSON.stringify(logged)).not.toMatch(secrets);
  });
});

describe('an email that SES rejects because of its configuration', () => {
  const notVerified =
    'Email address is not verified. The following identities failed the check in region EU-WEST-1: ann@example.org';
  it.each([
    ['MessageRejected', new MessageRejected(answered(400, notVerified))],
    ['MailFromDomainNotVerifiedException', new MailFromDomainNotVerifiedException(answered(400))],
    ['SendingPausedException', new SendingPausedException(answered(400))],
    ['AccountSuspendedException', new AccountSuspendedException(answered(400))],
    ['NotFoundException', new NotFoundException(answered(404))],
    ['AccessDeniedException', unknown('AccessDeniedException', 'client', 403)],
    ['ExpiredTokenException', unknown('ExpiredTokenException', 'client', 403)],
  ])('fails with a sentence that says so, and is counted: %s', async (name, error) => {
    const { outcome, tries: attempts, logged, counted } = await refuse(error);
    expect({ tries: attempts, logged, counted }).toEqual({
      tries: 1,
      logged: [],
      counted: [['EmailConfigErrors', 'Count', 1]],
    });
    const entry = serializeError(outcome);
    expect(entry).toMatchObject({
      name: 'MailSetupError',
      reason: expect.stringContaining('see that MAIL_FROM is verified'),
      cause: { name },
    });
    expect(JSON.stringify(entry)).not.toMatch(secrets);
  });
});
