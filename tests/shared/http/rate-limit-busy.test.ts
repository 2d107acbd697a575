import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { call } from '../../support/service/call.ts';

/** Longer than a limiter waits for the table. */
const busyMs = 1_200;

/** Holds this whole process: neither a timer nor an answer is noticed meanwhile. */
const beBusy = () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
};

const far = String(Date.now() + 4_000);
const item = { refilledAt: { N: far }, claim: { S: 'of-someone' } };
/** The bucket is not full: so there is a second write, which takes a token. */
const answers = [
  {
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: item,
    },
  },
  { status: 200, body: { Attributes: item } },
];

let asked = 0;
/** A table that answers at once, of a process that has something else to do just then. */
const table = createServer((request: IncomingMessage, response: ServerResponse) => {
  request.resume().on('end', () => {
    const { status, body } = answers[asked++] ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
    beBusy();
  });
});

beforeAll(async () => {
  table.listen(0, '127.0.0.1');
  await once(table, 'listening');
  const { port } = table.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${port}`;
  process.env['RATE_LIMIT_FACTOR'] = '1';
});
afterAll(() => {
  table.closeAllConnections();
  table.close();
});

it('counts a request while the process is blocked and the table is not', async () => {
  const metric = vi.spyOn(getMetrics(), 'addMetric');
  const { status, headers } = await call('POST /api/markdown', { body: { markdown: 'Hi' } });
  expect([status, headers['ratelimit']]).toEqual([200, expect.stringMatching(/^"markdown";r=\d+/)]);
  expect([asked, metric.mock.calls]).toEqual([2, []]);
});
