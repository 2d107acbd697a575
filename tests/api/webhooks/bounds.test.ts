import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deliverDue } from '../../../functions/api/webhooks/delivering/lane.ts';
import { recordEvent } from '../../../functions/api/webhooks/delivering/record-event.ts';
import { nextState } from '../../../functions/api/webhooks/delivering/state.ts';
import { createEventId } from '../../../shared/webhooks/events.ts';
import { usePublicHost } from '../../support/outbound/public-host.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { purgeJobs, queuedWork, runJobs, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
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
  opened,
} from '../../support/webhooks/webhooks.ts';

const internet = vi.hoisted(() => ({ current: {} }));

vi.mock('../../../shared/outbound/network.ts', () => ({
  get internet() {
    return internet.current;
  },
}));

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');
const { host, network } = usePublicHost();

const hourMs = 3_600_000;

let owner: Person;
let received: Received[];
beforeEach(async () => {
  internet.current = network;
  await forgetTries();
  owner = await newUserOf('user');
  received = [];
  host.answer = receive(received);
  return () => vi.unstubAllEnvs();
});

const record = () =>
  recordEvent(owner.id, {
    id: createEventId(),
    type: 'share.opened',
    timestamp: new Date().toISOString(),
    data: opened,
  });

describe('a request of a service', () => {
  it.each([{ headers: { 'webhook-id': 'evt_1' } }, { userAgent: 'Handbill' }])(
    'with %j counts and tells no view',
    async (service) => {
      const hers = sharesOf(owner);
      const id = await hers.newShare();
      await newWebhook(owner, { events: ['share.opened'] });
      const params = { id };
      const ofDelivery = { type: 'share.opened', timestamp: '2026-11-21T12:00:00Z', data: {} };
      const view = 'POST /s/{id}/view';
      expect((await call(view, { params, ...service, body: {} })).status).toBe(200);
      expect((await call(view, { params, body: ofDelivery })).status).toBe(400);
      expect((await call('GET /s/{id}', { params, ...service })).status).toBe(200);
      expect((await call('GET /api/share', { query: { id }, ...service })).status).toBe(400);
      await runJobs();
      expect([received, (await hers.look(id)).body.views]).toEqual([[], 0]);
    },
  );
});

describe('deliveries', () => {
  it('are up to 1,000 an hour of a user, who is told once that there were more', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '0.004');
    const { id } = await newWebhook(owner);
    for (let told = 0; told < 6; told++) await record();
    vi.unstubAllEnvs();
    await runJobs();
    expect(received).toHaveLength(4);
    expect((await listDeliveries(owner, id)).total).toBe(4);
    const { body } = await call('GET /api/notifications', { token: owner.token });
    const titles = body.data.items.map(({ title }: { title: string }) => title);
    expect(
      titles.filter((title: string) => title === 'Your webhooks had too many events'),
    ).toHaveLength(1);
  });

  it('that wait for a job on its way take no other', async () => {
    await newWebhook(owner);
    purgeJobs();
    for (let told = 0; told < 5; told++) await record();
    const jobs = (await queuedWork()).filter((body) => body.includes('webhook-delivery'));
    expect(jobs).toHaveLength(1);
    await runJobs();
    expect(received).toHaveLength(5);
    await record();
    await runJobs();
    expect(received).toHaveLength(6);
  });

  it('are one at a time, with rests, after ten failures in a row', async () => {
    host.answer = receive(received, 500);
    const { id: hookId } = await newWebhook(owner);
    for (let told = 0; told < 15; told++) await record();
    await runJobs();
    expect(received).toHaveLength(10);
    const webhook = { userId: owner.id, hookId };
    await deliverDue(webhook);
    expect(received).toHaveLength(10);
    pass(61_000);
    await deliverDue(webhook);
    expect(received).toHaveLength(11);
  });
});

describe('a host of which every other try hangs', () => {
  it('stays slow', () => {
    const outcome = (isSlow: boolean) => ({
      tried: { at: new Date().toISOString(), isDelivered: !isSlow, ms: 1 },
      isGone: false,
      isSlow,
    });
    let state: Parameters<typeof nextState>[0] = {};
    for (let tried = 0; tried < 6; tried++) state = nextState(state, [outcome(tried % 2 === 0)]);
    expect(state).toMatchObject({ slow: 3 });
    expect(state).not.toHaveProperty('restsUntil');
  });
});

describe('while webhooks are off', () => {
  it('nothing is sent, not even later', async () => {
    const { id } = await newWebhook(owner);
    await record();
    vi.stubEnv('WEBHOOKS', 'off');
    await runJobs();
    vi.unstubAllEnvs();
    await runJobs();
    expect(received).toEqual([]);
    expect((await listDeliveries(owner, id)).items).toMatchObject([
      { status: 'failed', lastTry: { reason: 'Not sent: webhooks were switched off here' } },
    ]);
  });

  it('what was forgotten is not sent after six hours, unless its owner asks', async () => {
    const { id } = await newWebhook(owner);
    await record();
    await record();
    purgeJobs();
    pass(6 * hourMs + 1);
    await signInAgain(owner);
    const [{ id: deliveryId }] = (await listDeliveries(owner, id)).items;
    const redelivery = 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver';
    expect((await ask(owner, redelivery, { id, deliveryId })).status).toBe(200);
    await runJobs();
    expect(received).toHaveLength(1);
    const statuses = (await listDeliveries(owner, id)).items.map(
      ({ status }: { status: string }) => status,
    );
    expect(statuses.toSorted()).toEqual(['delivered', 'failed']);
    expect((await getWebhook(owner, id)).status).toBe('working');
  });
});
