import { SESv2Client, SendEmailCommand, TooManyRequestsException } from '@aws-sdk/client-sesv2';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { consume } from '../../functions/jobs/consume.ts';
import { lambdaContext } from '../../infra/local/lambda-context.ts';
import { mockTable } from '../support/aws/errors.ts';

// The timers of `node:timers/promises` are real.
vi.mock('../../shared/runtime/backoff.ts', () => ({
  pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

/** Mocks the jobs of the next process that is started. */
const mockRegistry = () =>
  vi.doMock('../../functions/jobs/registry.ts', async () => {
    const { createWorker, defineEmail } = await import('../../shared/jobs/job-type.ts');
    const { sendMail } = await import('../../shared/mail/mail.ts');
    const type = defineEmail('reminder', z.object({ to: z.string() }));
    const send = (to: string) => sendMail({ to, subject: 'Reminder', text: '', html: '' });
    return { workers: [createWorker(type, async ({ to }) => void (await send(to)))] };
  });

const ses = mockClient(SESv2Client);
const sqs = mockClient(SQSClient);
const table = mockTable();

const secondMs = 1_000;
const nine = Date.parse('2026-11-23T09:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: nine, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  for (const mock of [ses, sqs, table]) mock.reset();
  table.on(PutCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** SES at its strictest: so many emails in any second, without bursts, and the rest throttled. */
const startSes = (rate: number) => {
  const sentAt = new Map<string, number>();
  let throttled = 0;
  ses.on(SendEmailCommand).callsFake(async ({ Destination }) => {
    const now = Date.now();
    const latest = [...sentAt.values()].filter((at) => at > now - secondMs);
    if (latest.length >= rate) {
      throttled++;
      throw new TooManyRequestsException({ message: 'Maximum rate', $metadata: {} });
    }
    const [to] = Destination.ToAddresses;
    if (sentAt.has(to)) throw new Error(`Sent twice: ${to}`);
    sentAt.set(to, now);
    return { MessageId: to };
  });
  return { sentAt, throttled: () => throttled };
};

interface Queued {
  readonly body: string;
  readonly dueAt: number;
}

/** A queue of mail with as many consumers, each a process of its own, that get ten messages at a time. */
const consumeAll = async (bodies: readonly string[], consumers: number) => {
  let queued: Queued[] = bodies.map((body) => ({ body, dueAt: Date.now() }));
  let [failed, running] = [0, 0];
  sqs.on(SendMessageCommand).callsFake(async ({ MessageBody, DelaySeconds = 0 }) => {
    queued.push({ body: MessageBody, dueAt: Date.now() + DelaySeconds * secondMs });
    return {};
  });
  const take = (): Queued[] => {
    const batch = queued.filter(({ dueAt }) => dueAt <= Date.now()).slice(0, 10);
    queued = queued.filter((one) => !batch.includes(one));
    return batch;
  };
  const work = async (run: typeof consume): Promise<void> => {
    while (queued.length > 0 || running > 0) {
      const batch = take();
      if (batch.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, secondMs));
        continue;
      }
      running++;
      const Records = batch.map(
        ({ body }, at) =>
          ({
            messageId: String(at),
            body,
            attributes: { ApproximateReceiveCount: '1' },
          }) as SQSRecord,
      );
      const context = lambdaContext('request', Date.now() + 60 * secondMs);
      const answer = await run({ Records }, context);
      failed += answer.batchItemFailures.length;
      running--;
    }
  };
  const processes: Promise<void>[] = [];
  for (let at = 0; at < consumers; at++) {
    vi.resetModules();
    mockRegistry();
    const { consume } = await import('../../functions/jobs/consume.ts');
    const { runWithin } = await import('../../shared/runtime/time-left.ts');
    processes.push(work((event, context) => runWithin(context, () => consume(event, context))));
  }
  const done = Promise.all(processes).then(() => true);
  while (!(await Promise.race([done, vi.advanceTimersByTimeAsync(secondMs).then(() => false)])));
  return { failed };
};

const reminders = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `id-${at}`, kind: 'reminder', data: { to: `user-${at}@example.com` } }),
  );

describe('emails that are due together', () => {
  it('are all sent at the rate of SES, each once', async () => {
    vi.stubEnv('MAIL_RATE', '14');
    const { sentAt, throttled } = startSes(14);
    const { failed } = await consumeAll(reminders(1_000), 2);
    expect([sentAt.size, failed]).toEqual([1_000, 0]);
    const seconds = (Math.max(...sentAt.values()) - nine) / secondMs;
    expect(seconds).toBeGreaterThan(70);
    expect(seconds).toBeLessThan(150);
    expect(throttled()).toBeLessThan(500);
  });

  it('are all sent even if SES allows less than MAIL_RATE says', async () => {
    vi.stubEnv('MAIL_RATE', '14');
    const { sentAt, throttled } = startSes(1);
    const { failed } = await consumeAll(reminders(200), 2);
    expect([sentAt.size, failed]).toEqual([200, 0]);
    expect(throttled()).toBeGreaterThan(0);
  });

  it('are sent one per second in the sandbox', async () => {
    vi.stubEnv('MAIL_RATE', undefined);
    const { sentAt, throttled } = startSes(1);
    const { failed } = await consumeAll(reminders(30), 2);
    expect([sentAt.size, failed]).toEqual([30, 0]);
    expect((Math.max(...sentAt.values()) - nine) / secondMs).toBeLessThan(600);
    expect(throttled()).toBeLessThan(60);
  });
});
