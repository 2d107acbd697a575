import { afterEach, expect, it, vi } from 'vitest';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { call } from '../../support/service/call.ts';

afterEach(() => vi.useRealTimers());

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const both = () => Promise.all([call('GET /api/health'), call('GET /health')]);

it('returns 503 while the table is unavailable and 200 afterwards, without a restart', async () => {
  const first = await startDynamoDb({});
  const port = Number(new URL(first.endpoint).port);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = first.endpoint;
  await ensureTable(tableName());

  later(0);
  for (const { status, body } of await both()) {
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'healthy', timestamp: new Date().toISOString() });
  }

  await first.close();
  expect((await both()).map(({ status }) => status)).toEqual([200, 200]);
  later(5_000);
  for (const { status, body } of await both()) {
    expect(status).toBe(503);
    expect(body).toEqual({ status: 'unhealthy', error: 'The database is unavailable.' });
  }

  const second = await startDynamoDb({ port });
  await ensureTable(tableName());
  later(5_000);
  expect((await both()).map(({ status }) => status)).toEqual([200, 200]);
  await second.close();
});
