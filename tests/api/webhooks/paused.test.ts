import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEvent } from '../../../functions/api/webhooks/delivering/record-event.ts';
import { createEventId } from '../../../shared/webhooks/events.ts';
import { usePublicHost } from '../../support/outbound/public-host.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { signInAgain } from '../../support/users/use-people.ts';
import { type Received, receive } from '../../support/webhooks/receiver.ts';
import {
  ask,
  forgetTries,
  getWebhook,
  listDeliveries,
  newWebhook,
  readUser,
  tell,
} from '../../support/webhooks/webhooks.ts';

const internet = vi.hoisted(() => ({ current: {} }));

vi.mock('../../../shared/outbound/network.ts', () => ({
  get internet() {
    return internet.current;
  },
}));

useTable();
useJobs();
useMail();
useVirtualTime('2026-11-21T12:00:00Z');
const { host, network } = usePublicHost();

const hourMs = 3_600_000;

let owner: Person;
let received: Received[];
beforeEach(async () => {
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  internet.current = network;
  await forgetTries();
  owner = await newUserOf('user');
  received = [];
  return () => vi.unstubAllEnvs();
});

/** Tells of an event and delivers it, a number of hours later. */
const tellAfter = async (hours: number): Promise<void> => {
  pass(hours * hourMs);
  await tell(owner);
  await runJobs();
};

const bell = async (): Promise<unknown[]> => {
  const { body } = await call('GET /api/notifications', { token: owner.token });
  return body.data.items.map(({ title, content }: Record<string, string>) => [title, content]);
};

describe('a webhook that fails', () => {
  it('is paused once it has failed for three days, and its owner told by bell and email', async () => {
    host.answer = receive(received, 500);
    const { id } = await newWebhook(owner);
    await tellAfter(0);
    await tellAfter(71.9);
    await signInAgain(owner);
    expect(await getWebhook(owner, id)).toMatchObject({ status: 'failing', pausedBy: null });
    await tellAfter(0.2);
    expect(await getWebhook(owner, id)).toMatchObject({
      status: 'paused',
      active: false,
      pausedBy: 'failures',
      version: 2,
      failingSince: '2026-11-21T12:00:00.000Z',
    });
    expect((await readUser(owner.id)).webhookEvents).toBeUndefined();
    await runMinute();
    await runJobs();
    const text =
      'app.example.com took nothing for three days. Nothing is sent to it until you resume the webhook.';
    expect(await bell()).toContainEqual(['Your webhook was paused', text]);
    expect(JSON.stringify(await mailsTo(owner.email))).toContain('Your webhook was paused');
  });

  it('is not paused if it succeeded in between', async () => {
    host.answer = receive(received, 500);
    const { id } = await newWebhook(owner);
    await tellAfter(0);
    host.answer = receive(received);
    await tellAfter(50);
    host.answer = receive(received, 500);
    await tellAfter(1);
    await tellAfter(50);
    await signInAgain(owner);
    expect(await getWebhook(owner, id)).toMatchObject({ status: 'failing', pausedBy: null });
  });

  it('is paused at once by a 410', async () => {
    host.answer = receive(received, 410);
    const { id } = await newWebhook(owner);
    await tellAfter(0);
    expect(await getWebhook(owner, id)).toMatchObject({ status: 'paused', pausedBy: 'gone' });
    await tellAfter(1);
    expect(received).toHaveLength(1);
  });

  it('begins anew once its owner resumes it, and what waited can be delivered again', async () => {
    host.answer = receive(received, 410);
    const { id } = await newWebhook(owner);
    await tellAfter(0);
    host.answer = receive(received);
    pass(2 * 60_000);
    await runMinute();
    await runJobs();
    expect(received).toHaveLength(1);
    expect((await listDeliveries(owner, id)).items).toMatchObject([
      { status: 'failed', lastTry: { reason: 'Not sent: the webhook was off' } },
    ]);
    const { body } = await ask(owner, 'PUT /api/webhooks/{id}', { id }, { body: { active: true } });
    expect(body.data).toMatchObject({ status: 'working', failures: 0, pausedBy: null });
    await tellAfter(0);
    await ask(owner, 'POST /api/webhooks/{id}/redeliver', { id });
    await runMinute();
    await runJobs();
    expect(received).toHaveLength(3);
  });
});

describe('an event of the audit', () => {
  it('is delivered to those who may hear of it when it is sent, and not after', async () => {
    host.answer = receive(received);
    const root = await newUserOf('super_admin');
    const manager = await newUserOf('user', { extraPermissions: ['webhooks:manage'] });
    await newWebhook(manager, { events: ['user.create'] });
    await newWebhook(owner);
    const event = (userId: number) =>
      recordEvent(userId, {
        id: createEventId(),
        type: 'user.create',
        timestamp: new Date().toISOString(),
        data: {},
      });
    await event(manager.id);
    await event(owner.id);
    await runJobs();
    expect(received).toHaveLength(1);
    await event(manager.id);
    const params = { id: String(manager.id) };
    await call('PUT /api/users/{id}', { token: root.token, params, body: { permissions: [] } });
    await runJobs();
    await event(manager.id);
    await runJobs();
    expect(received).toHaveLength(1);
  });
});
