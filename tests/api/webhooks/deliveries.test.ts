import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEvent } from '../../../functions/api/webhooks/delivering/record-event.ts';
import { createEventId } from '../../../shared/webhooks/events.ts';
import { publicAddress, usePublicHost } from '../../support/outbound/public-host.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { signInAgain } from '../../support/users/use-people.ts';
import { isAuthentic, type Received, receive } from '../../support/webhooks/receiver.ts';
import {
  ask,
  forgetTries,
  getWebhook,
  hookUrl,
  listDeliveries,
  newFailedDelivery,
  newWebhook,
  opened,
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
useVirtualTime('2026-11-21T12:00:00Z');
const { host, seen, network } = usePublicHost();

const minuteMs = 60_000;

let owner: Person;
let received: Received[];
beforeEach(async () => {
  internet.current = network;
  await forgetTries();
  owner = await newUserOf('user');
  received = [];
  host.answer = receive(received);
});

/** Runs the jobs until the next try of what failed is due, which is a number of minutes later. */
const tryAfter = async (minutes: number): Promise<void> => {
  pass(minutes * minuteMs);
  await runMinute();
  await runJobs();
};

describe('an event', () => {
  it('is posted to the webhooks that want it, signed, with its id', async () => {
    const webhook = await newWebhook(owner, { url: hookUrl, events: ['share.opened'] });
    await newWebhook(owner, { events: ['share.reported'] });
    await newWebhook(owner, { active: false });
    const id = await tell(owner);
    await runJobs();
    const [request, ...others] = received;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: `${new URL(hookUrl).pathname}?key=1` });
    expect(request?.headers).toEqual({
      host: 'app.example.com',
      'webhook-id': id,
      'webhook-timestamp': String(Date.now() / 1_000),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      accept: '*/*',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
      'user-agent': 'Handbill',
      connection: 'close',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      type: 'share.opened',
      timestamp: '2026-11-21T12:00:00.000Z',
      data: expect.objectContaining({ views: 3 }),
    });
    expect(isAuthentic(request as Received, webhook.secret, Date.now())).toBe(true);
    const forged = { ...(request as Received), body: `${request?.body} ` };
    expect(isAuthentic(forged, webhook.secret, Date.now())).toBe(false);
    expect(await getWebhook(owner, webhook.id)).toMatchObject({
      status: 'working',
      version: 1,
      lastDelivery: { delivered: true, httpStatus: 204, reason: null },
    });
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it('is delivered once, however often the job that makes its deliveries runs', async () => {
    const { id } = await newWebhook(owner);
    const eventId = createEventId('share-opened#1');
    for (let sent = 0; sent < 3; sent++) await tell(owner, eventId);
    await runJobs();
    await tell(owner, eventId);
    await runJobs();
    expect(received).toHaveLength(1);
    expect((await listDeliveries(owner, id)).items).toMatchObject([
      { eventId, status: 'delivered', tries: 1 },
    ]);
  });

  it('is one line for a chat tool', async () => {
    await newWebhook(owner, { format: 'text' });
    await tell(owner);
    await runJobs();
    expect(Object.keys(JSON.parse(received[0]?.body ?? ''))).toEqual(['text']);
  });

  it('is told to nobody whose account is suspended, or deleted', async () => {
    const root = await newUserOf('super_admin');
    await newWebhook(owner);
    await tell(owner);
    const params = { id: String(owner.id) };
    await call('PUT /api/users/{id}', { token: root.token, params, body: { status: 'suspended' } });
    await runJobs();
    expect(received).toEqual([]);
    await call('DELETE /api/users/{id}', { token: root.token, params });
    for (let minutes = 0; minutes < 3; minutes++) await minuteLater();
    const left = await itemsOf('');
    expect(
      left.filter(({ pk }) => /^WEBHOOK|^USER#/.test(pk) && pk.includes(String(owner.id))),
    ).toEqual([]);
    expect(left.filter(({ pk }) => pk.startsWith('WEBHOOK#'))).not.toContainEqual(
      expect.objectContaining({ userId: owner.id }),
    );
    expect(received).toEqual([]);
  });
});

describe('a renewed secret', () => {
  it('signs beside the former one for 24 hours', async () => {
    const { id, secret } = await newWebhook(owner);
    const { body } = await ask(owner, 'POST /api/webhooks/{id}/secret', { id });
    const renewed = body.data.secret;
    expect(renewed).not.toBe(secret);
    const check = async () => {
      await tell(owner);
      await runJobs();
      const last = received.at(-1) as Received;
      return [renewed, secret].map((one) => isAuthentic(last, one, Date.now()));
    };
    expect(await check()).toEqual([true, true]);
    pass(24 * 60 * minuteMs);
    expect(await check()).toEqual([true, false]);
  });
});

describe('a delivery that fails', () => {
  it('is tried five times within six hours, each time with the same id and body', async () => {
    host.answer = receive(received, 500);
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    const counts = [received.length];
    const waits = [1, 10, 60, 285];
    for (const minutes of waits) {
      await tryAfter(minutes - 1);
      counts.push(received.length);
      await tryAfter(1);
      counts.push(received.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    for (let hours = 0; hours < 24; hours++) await tryAfter(60);
    expect(received).toHaveLength(5);
    expect(
      new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size,
    ).toBe(1);
    const { items, total } = await listDeliveries(await signInAgain(owner), id);
    expect([items, total]).toMatchObject([
      [
        {
          status: 'failed',
          tries: 5,
          maxTries: 5,
          lastTry: { delivered: false, httpStatus: 500, reason: 'Answered with 500' },
          nextTryAt: null,
        },
      ],
      1,
    ]);
    expect(await getWebhook(owner, id)).toMatchObject({ status: 'failing', failures: 5 });
    expect(waits.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(6 * 60);
  });

  it('shows what was sent, and the first KB of the answer as text', async () => {
    host.answer = receive(received, (response) => {
      response.writeHead(400, { 'content-type': 'text/html' });
      response.end(`\u0007Bad é${'x'.repeat(5_000)}`);
    });
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    const [{ id: deliveryId }] = (await listDeliveries(owner, id)).items;
    const endpoint = 'GET /api/webhooks/{id}/deliveries/{deliveryId}';
    const { body } = await ask(owner, endpoint, { id, deliveryId });
    expect(body.data).toMatchObject({ request: received[0]?.body, nextTryAt: expect.any(String) });
    expect(body.data.answer).toMatch(/^Bad éx+$/);
    expect(Buffer.byteLength(body.data.answer)).toBe(1_023);
  });

  it.each([
    [302, 'Redirects aren’t followed (302)'],
    [404, 'Answered with 404'],
    [503, 'Answered with 503'],
  ])('says why: %i', async (status, reason) => {
    host.answer = receive(received, (response) => {
      response.writeHead(status, { location: 'https://app.example.com/other' }).end();
    });
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    expect(received).toHaveLength(1);
    expect((await getWebhook(owner, id)).lastDelivery).toMatchObject({
      httpStatus: status,
      reason,
    });
  });

  it.each([
    [['10.0.0.1'], 'This address isn’t public'],
    [[], 'The host has no address'],
  ])('says why: a name of %j', async (addresses, reason) => {
    host.addresses = [addresses];
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    expect([received, seen.addresses]).toEqual([[], []]);
    expect((await getWebhook(owner, id)).lastDelivery).toMatchObject({ httpStatus: null, reason });
  });

  it('is delivered again when its owner asks, with five more tries', async () => {
    host.answer = receive(received, 500);
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    const [{ id: deliveryId }] = (await listDeliveries(owner, id)).items;
    const again = () =>
      ask(owner, 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver', { id, deliveryId });
    expect((await again()).body.error.message).toBe('The delivery is on its way already.');
    for (const minutes of [1, 10, 60, 285]) await tryAfter(minutes);
    host.answer = receive(received);
    await signInAgain(owner);
    expect((await again()).body.data).toMatchObject({ status: 'waiting', tries: 0 });
    await runJobs();
    expect(received).toHaveLength(6);
    expect((await listDeliveries(owner, id)).items).toMatchObject([
      { id: deliveryId, status: 'delivered', tries: 1 },
    ]);
    expect(await getWebhook(owner, id)).toMatchObject({
      status: 'working',
      failures: 0,
      failingSince: null,
    });
  });

  it('is delivered again with all others that failed', async () => {
    const { id } = await newWebhook(owner);
    for (let failed = 0; failed < 30; failed++) {
      pass(1);
      await newFailedDelivery(id);
    }
    const { status } = await ask(owner, 'POST /api/webhooks/{id}/redeliver', { id });
    expect(status).toBe(200);
    await minuteLater();
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
    expect(received).toHaveLength(30);
  });
});

describe('POST /api/webhooks/{id}/test', () => {
  it('sends an event as others are sent', async () => {
    const { id } = await newWebhook(owner, { events: ['message.received'], label: 'Chat' });
    const { status, body } = await ask(owner, 'POST /api/webhooks/{id}/test', { id });
    expect([status, body.data]).toMatchObject([
      201,
      { type: 'webhook.test', status: 'waiting', tries: 0, lastTry: null },
    ]);
    await runJobs();
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { label: 'Chat' },
    });
    await ask(owner, 'PUT /api/webhooks/{id}', { id }, { body: { active: false } });
    const refused = await ask(owner, 'POST /api/webhooks/{id}/test', { id });
    expect(refused.body.error.message).toBe('The webhook is paused. Resume it first.');
  });
});

describe('GET /api/webhooks/{id}/deliveries', () => {
  it('has pages, the newest first, of 30 days', async () => {
    const { id } = await newWebhook(owner);
    const told: string[] = [];
    for (let count = 0; count < 12; count++) {
      pass(1_000);
      told.unshift(await tell(owner));
    }
    await runJobs();
    const first = await listDeliveries(owner, id);
    expect([first.items.length, first.total, first.totalIsExact]).toEqual([10, 12, true]);
    const second = await listDeliveries(owner, id, { cursor: first.nextCursor });
    const ids = [...first.items, ...second.items].map(({ eventId }) => eventId);
    expect([ids, second.nextCursor]).toEqual([told, null]);
    pass(30 * 24 * 60 * minuteMs + 1_000);
    expect(await listDeliveries(await signInAgain(owner), id)).toMatchObject({
      items: [],
      total: 0,
    });
  });

  it('has those of events of long ago for 30 days from when they are made', async () => {
    const { id } = await newWebhook(owner);
    await recordEvent(owner.id, {
      id: createEventId(),
      type: 'share.ended',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: opened,
    });
    await runJobs();
    expect(await listDeliveries(owner, id)).toMatchObject({
      items: [{ type: 'share.ended', timestamp: '2026-01-01T00:00:00.000Z', status: 'delivered' }],
      total: 1,
    });
    pass(30 * 24 * 60 * minuteMs + 1_000);
    expect((await listDeliveries(await signInAgain(owner), id)).items).toEqual([]);
  });

  it('goes with the webhook', async () => {
    const { id } = await newWebhook(owner);
    await tell(owner);
    await runJobs();
    expect(await itemsOf(`WEBHOOK#${id}`)).toHaveLength(1);
    await ask(owner, 'DELETE /api/webhooks/{id}', { id });
    await minuteLater();
    expect(await itemsOf(`WEBHOOK#${id}`)).toEqual([]);
  });
});
