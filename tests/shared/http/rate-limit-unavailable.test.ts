import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { call } from '../../support/service/call.ts';

/** Takes connections and requests, and answers none. */
const silent = createServer();
let connections = 0;

beforeAll(async () => {
  silent.on('connection', (socket) => {
    connections++;
    socket.on('error', () => undefined).resume();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  silent.close();
});

describe('POST /api/markdown', () => {
  const convert = async () => {
    const metric = vi.spyOn(getMetrics(), 'addMetric');
    const { status, headers, body } = await call('POST /api/markdown', {
      body: { markdown: 'Hi' },
    });
    expect([status, headers['ratelimit'], body.markdown]).toEqual([200, undefined, 'Hi']);
    expect(metric.mock.calls).toEqual([['RateLimiterFailures', 'Count', 1]]);
    metric.mockRestore();
  };

  it('responds while the table does not, before the table is asked again', async () => {
    await convert();
    expect(connections).toBe(1);
  });

  it('responds while the table is unavailable', async () => {
    silent.close();
    await convert();
    expect(connections).toBe(1);
  });
});
