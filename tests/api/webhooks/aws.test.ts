import { describe, expect, it, vi } from 'vitest';
import { attempt } from '../../../functions/api/webhooks/delivering/attempt.ts';
import { recordEvent } from '../../../functions/api/webhooks/delivering/record-event.ts';
import { maxTries, parseDue } from '../../../functions/api/webhooks/record/delivery.ts';
import { parseWebhook } from '../../../functions/api/webhooks/record/webhook.ts';
import { createEventId, type WebhookEvent } from '../../../shared/webhooks/events.ts';
import { conditionFailed, passingErrors } from '../../support/aws/errors.ts';
import { failConditions, useMockedService } from '../../support/aws/mocked-service.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { newPerson, type Person } from '../../support/users/test-users.ts';
import { ask, createWebhook, newWebhook, opened } from '../../support/webhooks/webhooks.ts';

const send = vi.hoisted(() => vi.fn());

vi.mock('../../../functions/api/webhooks/delivering/send.ts', () => ({ send }));

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { watch, items } = useMockedService();

const newEvent = (): WebhookEvent => ({
  id: createEventId(),
  type: 'share.opened',
  timestamp: '2026-11-21T12:00:00.000Z',
  data: opened,
});

const stored = (prefix: string) => items.all().filter(({ pk }) => String(pk).startsWith(prefix));
const jobsIn = (sent: readonly { readonly name: string }[]) =>
  sent.filter(({ name }) => name === 'SendMessage');

/** Creates a webhook, and returns it with what is due of it. */
const newDue = async (ann: Person) => {
  const { id } = await newWebhook(ann);
  await recordEvent(ann.id, newEvent());
  const isIts = ({ sk }: object & { readonly sk?: unknown }, start: string) =>
    String(sk).startsWith(start);
  const webhook = parseWebhook(items.find((item) => isIts(item, 'WEBHOOK#') && item['id'] === id));
  const due = parseDue(stored(`WEBHOOK#${id}`).find((item) => item['at'] !== undefined));
  if (!webhook || !due) throw new Error('Nothing is due');
  return { webhook, due };
};

describe('POST /api/webhooks', () => {
  it('begins anew when another webhook of the user was written meanwhile', async () => {
    const ann = await newPerson();
    const others = failConditions(new RegExp(`Update USER#${ann.id} `), { times: 2 });
    const { result, sent } = await watch(() => createWebhook(ann), others);
    expect(result.status, JSON.stringify(result.body)).toBe(201);
    expect(sent.filter(({ name }) => name === 'TransactWrite')).toHaveLength(3);
    const always = failConditions(new RegExp(`Update USER#${ann.id} `));
    expect((await watch(() => createWebhook(ann), always)).result).toMatchObject({
      status: 503,
      body: { error: { message: 'Your webhooks are being changed. Try again.' } },
    });
  });
});

describe('POST /api/webhooks/{id}/test', () => {
  it('keeps the job when the queue is down', async () => {
    const ann = await newPerson();
    const { id } = await newWebhook(ann);
    const [, down] = passingErrors().find(([name]) => name === 'ECONNREFUSED') ?? [];
    const { result } = await watch(
      () => ask(ann, 'POST /api/webhooks/{id}/test', { id }),
      ({ name }) => (name === 'SendMessage' ? down : undefined),
    );
    expect(result.status).toBe(201);
    expect(stored('OUTBOX#').filter(({ queue }) => queue === 'hooks')).toHaveLength(1);
  });
});

describe('an event', () => {
  it('makes no second delivery, but sends the job that a former run did not', async () => {
    const ann = await newPerson();
    await newWebhook(ann);
    const made = failConditions(/^Put WEBHOOK#\S+ /);
    const { sent } = await watch(() => recordEvent(ann.id, newEvent()), made);
    expect(jobsIn(sent)).toHaveLength(1);
  });

  it('is told again when the table fails', async () => {
    const ann = await newPerson();
    await newWebhook(ann);
    const [[, error] = []] = passingErrors();
    const act = watch(
      () => recordEvent(ann.id, newEvent()),
      ({ name }) => (name === 'TransactWrite' ? error : undefined),
    );
    await expect(act).rejects.toBe(error);
  });
});

describe('a try', () => {
  it('is not sent while another one runs', async () => {
    const { webhook, due } = await newDue(await newPerson());
    const running = { status: 'waiting', dueAt: due.at, claimedUntil: Date.now() + 1 };
    await watch(
      () => attempt(webhook, due),
      ({ name }) =>
        name === 'Update' ? conditionFailed({ ...delivery(webhook.id), ...running }) : undefined,
    );
    expect(send).not.toHaveBeenCalled();
  });

  it('that ended without a word counts, as the last of five', async () => {
    const { webhook, due } = await newDue(await newPerson());
    const lost = { status: 'waiting', dueAt: due.at, tries: maxTries, claimedUntil: Date.now() };
    const { sent } = await watch(
      () => attempt(webhook, due),
      ({ name }) =>
        name === 'Update' ? conditionFailed({ ...delivery(webhook.id), ...lost }) : undefined,
    );
    expect(send).not.toHaveBeenCalled();
    const [{ input } = { input: undefined }] = sent.filter(({ name }) => name === 'TransactWrite');
    expect(JSON.stringify(input)).toContain('The last try was interrupted');
  });

  it('is sent by whoever got no answer to its beginning', async () => {
    const { webhook, due } = await newDue(await newPerson());
    send.mockResolvedValueOnce({ tried: { at: due.at, isDelivered: true, ms: 1 }, isSlow: false });
    await watch(
      () => attempt(webhook, due),
      ({ name, input }) =>
        name === 'Update'
          ? conditionFailed({
              ...delivery(webhook.id),
              token: input.ExpressionAttributeValues[':token'],
            })
          : undefined,
    );
    expect(send).toHaveBeenCalledOnce();
  });
});

const delivery = (hookId: number) =>
  stored(`WEBHOOK#${hookId}`).find((item) => item['event'] !== undefined);
