import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listDailyVisits, maxDays } from '../../../shared/activity/days.ts';
import { createVisitorId } from '../../../shared/activity/visitor.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import {
  queuedJobs,
  runJobs,
  sendBody,
  useJobs,
  withoutQueue,
} from '../../support/service/jobs.ts';
import { meterAws } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { login, newPerson, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-01T12:00:00.000Z');
useTable();
useBucket();
useJobs();

const dayMs = 86_400_000;
const minuteMs = 60_000;

let owner: Person;
/** Each test starts at noon of its own day. */
beforeEach(async () => {
  vi.setSystemTime(Math.floor(Date.now() / dayMs) * dayMs + 1.5 * dayMs);
  owner = await newPerson();
});

const share = async (body: object = {}): Promise<string> =>
  (
    await call('POST /api/share', {
      token: owner.token,
      body: { content: '# Hi', language: 'markdown', ...body },
    })
  ).body.id;

const view = (id: string, options: object = {}) =>
  call('GET /api/share', { query: { id }, ...options });
const page = (id: string, options: object = {}) =>
  call('GET /s/{id}', { params: { id }, ...options });
const raw = (id: string, options: object = {}) =>
  call('GET /s/{id}/raw', { params: { id }, ...options });
const open = (id: string, body = '') => call('POST /s/{id}/open', { params: { id }, body });

const nothing = { visits: 0, uniqueVisitors: 0, pageViews: 0, views: 0, signIns: 0 };
const byOne = { ...nothing, visits: 1, uniqueVisitors: 1 };

const today = async () => {
  await runJobs();
  const [day] = await listDailyVisits(1);
  const { date, ...counters } = day ?? { date: '', ...nothing };
  expect(date).toBe(new Date().toISOString().slice(0, 10));
  return counters;
};

const viewsOf = async (id: string): Promise<number> =>
  (await call('GET /api/share', { token: owner.token, query: { id, mine: 'true' } })).body.views;

describe('the counters of a day', () => {
  it('are zero without activity', async () => {
    expect(await today()).toEqual(nothing);
  });

  it('count an API view, also for the share, and no visit', async () => {
    const id = await share();
    expect((await view(id)).status).toBe(200);
    expect(await today()).toEqual({ ...nothing, views: 1 });
    expect(await viewsOf(id)).toBe(1);
  });

  it('count a message once that is delivered twice', async () => {
    const told = (id: string): Told => ({
      id,
      data: { at: new Date().toISOString(), visitor: 'ann', counts: ['pageViews', 'views'] },
    });
    expect(await deliver([told('double'), told('other'), told('double')])).toEqual([]);
    expect(await deliver([told('double')])).toEqual([]);
    expect(await today()).toEqual({ ...byOne, pageViews: 2, views: 2 });
  });

  it('count a page view and a share view with one message', async () => {
    const id = await share();
    await page(id);
    expect(await queuedJobs()).toHaveLength(1);
    expect(await today()).toEqual({ ...byOne, pageViews: 1, views: 1 });
    expect(await viewsOf(id)).toBe(1);
  });

  it('count the raw text as a view, not a page view', async () => {
    const id = await share();
    await raw(id);
    expect(await today()).toEqual({ ...nothing, views: 1 });
    expect(await viewsOf(id)).toBe(1);
  });

  it('count the opening of a limited share as one page view and one view, with one message', async () => {
    const id = await share({ viewLimit: 3 });
    await page(id);
    // A visitor who does not open the share, like an email scanner, is not counted.
    expect(await queuedJobs()).toEqual([]);
    const opened = await open(id, 'claim=abc');
    expect(opened.status).toBe(303);
    const token = new URL(opened.headers['location'] ?? '', 'http://x').searchParams.get('view');
    const query = { view: token ?? '' };
    await page(id, { query });
    await page(id, { query });
    await raw(id, { query });
    expect(await queuedJobs()).toHaveLength(1);
    expect(await today()).toEqual({ ...byOne, pageViews: 1, views: 1 });
    expect(await viewsOf(id)).toBe(1);
  });

  it('count one view for a form submitted twice', async () => {
    const id = await share({ viewLimit: 3 });
    const both = await Promise.all([open(id, 'claim=twice'), open(id, 'claim=twice')]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await today()).toEqual({ ...byOne, pageViews: 1, views: 1 });
    await open(id);
    await open(id);
    expect(await today()).toEqual({ ...byOne, pageViews: 3, views: 3 });
  });

  it('count a successful sign-in, which is no visit', async () => {
    expect((await login(owner.email)).status).toBe(200);
    await call('POST /api/auth/login', { body: { email: owner.email, password: 'wrong one' } });
    expect(await today()).toEqual({ ...nothing, signIns: 1 });
  });

  it('ignore failed requests and prefetches', async () => {
    const id = await share();
    const guarded = await share({ password: 'Abc123' });
    await Promise.all([
      view('missing-share'),
      view(guarded),
      view(guarded, { headers: { 'x-share-password': 'wrong' } }),
      page('missing-share'),
      open(guarded, 'password=wrong'),
      raw(guarded),
      call('HEAD /api/share', { query: { id } }).catch(() => undefined),
      page(id, { headers: { 'sec-purpose': 'prefetch' } }),
      page(id, { headers: { 'sec-fetch-dest': 'empty' } }),
      view(id, { query: { id, mine: 'true' }, token: owner.token }),
    ]);
    expect(await queuedJobs()).toEqual([]);
    expect(await today()).toEqual(nothing);
  });

  it('belong to the day of the activity, not of the delivery', async () => {
    const id = await share();
    await page(id);
    pass(2 * dayMs);
    await runJobs();
    const days = await listDailyVisits(3);
    expect(days.map(({ date: _, ...counters }) => counters)).toEqual([
      { ...byOne, pageViews: 1, views: 1 },
      nothing,
      nothing,
    ]);
  });
});

describe('a visit', () => {
  it('continues while the visitor opens pages at least every 30 minutes', async () => {
    const id = await share();
    for (const minutes of [0, 29, 30, 30, 30]) {
      pass(minutes * minuteMs);
      await page(id);
    }
    expect(await today()).toEqual({ ...byOne, pageViews: 5, views: 5 });
    // No activity from 14:00 to 15:28.
    pass(90 * minuteMs);
    await page(id);
    expect(await today()).toEqual({ ...byOne, visits: 2, pageViews: 6, views: 6 });
  });

  it('begins with the first page view, never with a sign-in or a read by the API', async () => {
    const id = await share();
    await login(owner.email);
    await view(id);
    expect(await today()).toEqual({ ...nothing, views: 1, signIns: 1 });
    await page(id);
    expect(await today()).toEqual({ ...byOne, pageViews: 1, views: 2, signIns: 1 });
  });

  it('merges with the previous one when a late page view fills the gap', async () => {
    const at = (time: string) => `${new Date().toISOString().slice(0, 10)}T${time}:00.000Z`;
    const tell = async (time: string) => {
      const data = { at: at(time), visitor: 'ann', counts: ['pageViews', 'views'] };
      await sendBody(JSON.stringify({ id: randomUUID(), kind: 'activity', data }));
      return (await today()).visits;
    };
    const visits = [];
    for (const time of ['10:00', '11:00', '10:30', '00:00', '23:59']) visits.push(await tell(time));
    expect(visits).toEqual([1, 2, 1, 2, 3]);
  });
});

describe('a visitor id', () => {
  const client = { network: '192.0.2.1', userAgent: 'tests' };

  it('identifies a network and a browser on a day', async () => {
    const one = await createVisitorId(client, '2026-11-21');
    expect(one).toMatch(/^[\w-]{22}$/);
    expect(await createVisitorId(client, '2026-11-21')).toBe(one);
    const others = await Promise.all([
      createVisitorId({ ...client, network: '192.0.2.2' }, '2026-11-21'),
      createVisitorId({ ...client, userAgent: 'others' }, '2026-11-21'),
      createVisitorId({ network: '192.0.2.1', userAgent: undefined }, '2026-11-21'),
      createVisitorId(client, '2026-11-22'),
    ]);
    expect(new Set([one, ...others]).size).toBe(5);
  });

  it('is stored without an address or a browser', async () => {
    const id = await share();
    await view(id);
    const [body = ''] = await queuedJobs();
    expect(body).not.toMatch(/192\.0\.2|tests/);
    await runJobs();
    const kept = JSON.stringify(await itemsOf('VISITOR'));
    expect(kept).not.toMatch(/192\.0\.2|tests/);
  });

  it('expires five days after its day', async () => {
    const id = await share();
    await view(id);
    await runJobs();
    const day = new Date().toISOString().slice(0, 10);
    const [item] = await itemsOf(`VISITOR#${day}`);
    expect(item?.['ttl']).toBe((Date.parse(day) + 6 * dayMs) / 1_000);
  });
});

describe('while the queue is down', () => {
  it('serves views, pages and sign-ins and counts each as dropped', async () => {
    const [id, limited] = [await share(), await share({ viewLimit: 1 })];
    const count = vi.spyOn(getMetrics(), 'addMetric');
    const responses = await withoutQueue(async () => [
      await view(id),
      await page(id),
      await raw(id),
      await open(limited),
      await login(owner.email),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 303, 200]);
    const dropped = count.mock.calls.filter(([name]) => name === 'JobsDropped');
    expect(dropped).toHaveLength(5);
    count.mockRestore();
    await runJobs();
  });

  it('serves a view even if the signing secret cannot be read', async () => {
    const id = await share();
    const keys = await import('../../../shared/runtime/signing-keys.ts');
    const count = vi.spyOn(getMetrics(), 'addMetric');
    vi.stubEnv('JWT_SECRET', '');
    try {
      expect(() => keys.getCurrentKey()).toBeDefined();
      expect((await view(id)).status).toBe(200);
      expect(count.mock.calls).toContainEqual(['JobsDropped', 'Count', 1]);
    } finally {
      vi.stubEnv('JWT_SECRET', 'a secret of the tests, long enough to sign with');
      count.mockRestore();
    }
  });
});

describe('listDailyVisits', () => {
  let meter: ReturnType<typeof meterAws>;
  beforeAll(async () => {
    meter = meterAws();
    // Opens a connection for each concurrent request, so that none waits.
    await Promise.all(Array.from({ length: 10 }, () => listDailyVisits(1)));
    return () => meter.stop();
  });

  it('returns up to 90 recent UTC days, oldest first', async () => {
    const days = (await listDailyVisits(3)).map(({ date }) => date);
    const dayOf = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
    expect(days).toEqual([dayOf(2), dayOf(1), dayOf(0)]);
    expect(await listDailyVisits(1_000)).toHaveLength(maxDays);
  });

  it('makes four small concurrent reads, whatever the activity', async () => {
    const { readUnits, requests, trips } = await meter.measure(() => listDailyVisits(90));
    expect({ requests: requests.table, trips }).toEqual({ requests: 4, trips: 1 });
    expect(readUnits).toBeLessThanOrEqual(8);
  });

  it('has 22 write units per batch of ten visitors and 4 for a known one', async () => {
    const tell = (n: number, viewer: string) => {
      const data = {
        at: new Date().toISOString(),
        visitor: viewer,
        counts: ['pageViews', 'views'],
      };
      return sendBody(JSON.stringify({ id: randomUUID(), kind: 'activity', data, n }));
    };
    await runJobs();
    const measure = async (visitorOfMessage: (n: number) => string) => {
      for (let n = 0; n < 10; n++) await tell(n, visitorOfMessage(n));
      const { readUnits, writeUnits, tableTrips } = await meter.measure(runJobs);
      return { readUnits, writeUnits, tableTrips };
    };
    expect(await measure((n) => `visitor-${n}`)).toEqual({
      readUnits: 10,
      writeUnits: 22,
      tableTrips: 2,
    });
    expect(await measure(() => 'visitor-1')).toEqual({
      readUnits: 1,
      writeUnits: 4,
      tableTrips: 2,
    });
  });
});
