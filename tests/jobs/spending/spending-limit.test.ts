// What a limit on spending measures, when it slows the service down and how it ends, with the real metering code. The control
// plane of the gateway is a stand-in; its data plane refuses what is above its settings.

import { UpdateStageCommand } from '@aws-sdk/client-apigatewayv2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepSpendingLimit } from '../../../functions/jobs/spending/limit.ts';
import { getLargestLoss, meterRequest } from '../../../shared/spending/meter.ts';
import { getMonth, writeMonth } from '../../../shared/spending/month.ts';
import { getPrice, idleMonthNanos } from '../../../shared/spending/price-list.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { useGatewayControl } from './gateway-control.ts';

const limit = 25;
const publicKeys = ['ANY /s/{proxy+}', 'ANY /api/share'];
const control = useGatewayControl({
  service: [...publicKeys, 'ANY /api/settings/{proxy+}', 'ANY /api/auth/{proxy+}'],
  snippets: ['ANY /{id}'],
});
const slowed = {
  'ANY /s/{proxy+}': 1,
  'ANY /api/share': 1,
  'ANY /api/settings/{proxy+}': 10,
  'ANY /api/auth/{proxy+}': 10,
};

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

beforeEach(() => {
  vi.stubEnv('SPENDING_LIMIT', String(limit));
  vi.stubEnv(
    'GATEWAY_PUBLIC_ROUTES',
    JSON.stringify([
      { api: 'service', keys: publicKeys },
      { api: 'snippets', keys: ['ANY /{id}'] },
    ]),
  );
});
afterEach(async () => {
  // Months are independent of each other: each test has one of its own.
  pass(31 * 86_400_000);
  await keepSpendingLimit();
  vi.unstubAllEnvs();
});

/** Makes this month cost so many dollars, a month without requests included. */
const spend = async (dollars: number): Promise<void> => {
  const before = (await itemsOf(`SPENDING#${getMonth()}`))[0]?.['nanos'] ?? 0;
  await writeMonth(getMonth(), { nanos: dollars * 1e9 - idleMonthNanos - Number(before) });
};

const admin = () => newUserOf('super_admin');
const read = async (token: string) =>
  (await call('GET /api/settings/spending', { token })).body.data;
const noticesOf = async (token: string) =>
  (await call('GET /api/notifications', { token })).body.data.items.map(
    ({ title }: { title: string }) => title,
  );

describe('metering', () => {
  it('counts nothing without a limit', async () => {
    vi.stubEnv('SPENDING_LIMIT', undefined);
    for (let request = 0; request < 1_000; request++)
      await meterRequest('GET /s/{id}', () => 10_000);
    expect(await itemsOf(`SPENDING#${getMonth()}`)).toEqual([]);
  });

  it('writes the price of requests together, and at most a small part is not written', async () => {
    const price = getPrice('GET /s/{id}', 10_240);
    const requests = 2_000;
    for (let request = 0; request < requests; request++)
      await meterRequest('GET /s/{id}', () => 10_240);
    const [item] = await itemsOf(`SPENDING#${getMonth()}`);
    const missing = requests * price - Number(item?.['nanos']);
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThan(getLargestLoss(limit));
    // A request that comes a minute later has the rest written.
    pass(61_000);
    await meterRequest('POST /api/messages', () => 1_000_000);
    await meterRequest('POST /api/messages', () => 1_000_000);
    const [later] = await itemsOf(`SPENDING#${getMonth()}`);
    expect(Number(later?.['nanos'])).toBeGreaterThan(requests * price);
  });

  it('takes an unmeasured route for the dearest', () => {
    expect(getPrice('GET /new', 0)).toBe(getPrice('POST /api/auth/forgot-password', 0));
  });

  it('costs less than $0.20 a month: all writes up to the limit, and a read each minute', () => {
    for (const dollars of [5, 25, 1_000]) {
      const writes = (dollars * 1e9) / (0.1 * getLargestLoss(dollars));
      // A write unit, and 10 ms of the largest function.
      const ofWrites = writes * (0.625e-6 + 0.01 * (1_769 / 1_024) * 0.0000133334);
      // Two items at half a unit each.
      const ofReads = 30 * 24 * 60 * 0.125e-6;
      expect(ofWrites + ofReads).toBeLessThan(0.2);
    }
  });
});

describe('a spending limit', () => {
  it('tells super_admins at 80 and 100 %, once each', async () => {
    const { token } = await admin();
    await spend(0.79 * limit);
    await keepSpendingLimit();
    expect(await noticesOf(token)).toEqual([]);
    await spend(0.8 * limit);
    for (let minute = 0; minute < 2; minute++) await keepSpendingLimit();
    expect(await noticesOf(token)).toEqual(['80 % of the spending limit is used']);
    await spend(limit);
    for (let minute = 0; minute < 2; minute++) await keepSpendingLimit();
    expect(await noticesOf(token)).toEqual([
      'The spending limit is reached',
      '80 % of the spending limit is used',
    ]);
  });

  it('slows public routes down to one request a second, and others to ten', async () => {
    await spend(limit - 0.01);
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual({});
    await spend(limit);
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual(slowed);
    expect(control.rates('snippets')).toEqual({ 'ANY /{id}': 1 });
    const { token } = await admin();
    expect(await read(token)).toEqual({
      month: getMonth(),
      limit,
      spent: limit,
      percent: 100,
      reachedAt: new Date().toISOString(),
      isLifted: false,
      isSlowed: true,
    });
  });

  it('writes settings only where they differ, and again after a deployment has set them back', async () => {
    await spend(limit);
    await keepSpendingLimit();
    control.client.resetHistory();
    await keepSpendingLimit();
    expect(control.client.commandCalls(UpdateStageCommand)).toEqual([]);
    control.reset('service');
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual(slowed);
  });

  it('ends with the month', async () => {
    await spend(limit);
    await keepSpendingLimit();
    pass(10 * 86_400_000);
    await keepSpendingLimit();
    expect([control.rates('service'), control.rates('snippets')]).toEqual([{}, {}]);
    expect(await itemsOf('SPENDING#BRAKE')).toEqual([]);
  });

  it('ends with a deployment without it', async () => {
    await spend(limit);
    await keepSpendingLimit();
    vi.stubEnv('SPENDING_LIMIT', undefined);
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual({});
    const { token } = await admin();
    expect(await read(token)).toBeNull();
  });

  it('is lifted by an administrator until the end of the month, which is audited', async () => {
    const { token } = await admin();
    await spend(limit);
    await keepSpendingLimit();
    const lifted = await call('POST /api/settings/spending/lift', { token, body: {} });
    expect(lifted.body).toMatchObject({ data: { isLifted: true, isSlowed: false } });
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual({});
    expect(await entriesAbout(`spending:${getMonth()}`)).toMatchObject([
      { action: 'spending.lift', subjectName: getMonth() },
    ]);
  });

  it('is raised by an amount, and reached again', async () => {
    const { token } = await admin();
    await spend(limit);
    const body = { dollars: 5 };
    const raised = await call('POST /api/settings/spending/lift', { token, body });
    expect(raised.body.data).toMatchObject({ limit: limit + 5, isSlowed: false, percent: 83 });
    await spend(limit + 5);
    await keepSpendingLimit();
    expect(control.rates('service')).toEqual(slowed);
  });

  it('is lifted only by who may change settings', async () => {
    const { token } = await newUserOf('user', { extraPermissions: ['settings:view'] });
    expect((await read(token)).limit).toBe(limit);
    expect(await call('POST /api/settings/spending/lift', { token, body: {} })).toMatchObject({
      status: 403,
    });
  });
});

describe('a flood of 100 requests a second', () => {
  it('costs at most 3 cents beyond the limit until it is slowed down, and 4 cents an hour then', async () => {
    const bytes = 10_240;
    const price = getPrice('GET /s/{id}', bytes);
    // The last minutes before the limit: all of it would take most of a day.
    const before = limit - 0.05;
    await spend(before);
    let requests = 0;
    let minutes = 0;
    while (Object.keys(control.rates('service')).length === 0) {
      minutes++;
      for (let second = 0; second < 60; second++) {
        for (let request = 0; request < 100; request++)
          await meterRequest('GET /s/{id}', () => bytes);
        requests += 100;
        pass(1_000);
      }
      await keepSpendingLimit();
    }
    const spent = before + (requests * price) / 1e9;
    const anHour = (3_600 * price * (control.rates('service')['ANY /s/{proxy+}'] ?? 0)) / 1e9;
    expect(minutes).toBeLessThan(10);
    expect(spent - limit).toBeLessThan(0.03);
    expect(anHour).toBeLessThan(0.04);
  });
});
