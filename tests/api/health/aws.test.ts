import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accessDenied, mockTable, sent } from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

const table = mockTable();
const unhealthy = {
  status: 503,
  body: { status: 'unhealthy', error: 'The database is unavailable.' },
};
let now = Date.parse('2026-11-21T12:00:00Z');

beforeEach(() => {
  // Expires the cached result of the previous test.
  now += 60_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  table.reset();
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(['/api/health', '/health'])('GET %s', (path) => {
  const health = async () => {
    const { status, body } = await call(`GET ${path}`);
    return { status, body };
  };
  const healthy = () => ({
    status: 200,
    body: { status: 'healthy', timestamp: new Date().toISOString() },
  });

  it('checks the table once in 5 s', async () => {
    table.on(GetCommand).resolves({});
    await Promise.all([health(), health(), health()]);
    vi.setSystemTime(now + 4_999);
    expect(await health()).toEqual(healthy());
    expect(sent(table, GetCommand)).toHaveLength(1);
    vi.setSystemTime(now + 5_000);
    expect(await health()).toEqual(healthy());
    expect(sent(table, GetCommand)).toHaveLength(2);
  });

  it('returns 503 without details of AWS, and recovers within 5 s of the table', async () => {
    table.on(GetCommand).rejectsOnce(accessDenied()).resolves({});
    expect(await health()).toEqual(unhealthy);
    vi.setSystemTime(now + 4_999);
    expect(await health()).toEqual(unhealthy);
    vi.setSystemTime(now + 5_000);
    expect(await health()).toEqual(healthy());
  });
});
