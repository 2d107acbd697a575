import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { visibilitySeconds } from '../../../infra/local/jobs/queues.ts';
import { newReader, newWriter, send } from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { sendRequests } from '../../support/service/direct-calls.ts';
import { deadJobs, queuedJobs, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { gateOf } from '../../support/shares/account.ts';
import { page, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { startVirtualWaits } from '../support/faults/virtual-waits.ts';
import { type LimitedTable, type Limits, limitPartitions } from './proxy.ts';

vi.mock('../../../shared/runtime/backoff.ts', () => import('../../support/faults/no-pauses.ts'));

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
sendRequests();
useBucket();
useJobs();

let table: LimitedTable;
beforeAll(async () => {
  const waits = await startVirtualWaits();
  table = await limitPartitions(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.endpoint;
  return () => waits.stop();
});
afterAll(() => table.close());
beforeEach(() => table.limit(undefined));

/** The limits on AWS: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const plenty: Limits = { write: 1_000, read: 3_000 };

const secondMs = 1_000;

/**
 * Sends requests concurrently and retries each 503 after its `Retry-After`. `seconds` are the partition limits of each
 * round; later rounds are unlimited. Returns the last response of each request and the number of 503 responses.
 */
const untilAnswered = async (
  requests: readonly (() => Promise<Answer>)[],
  seconds: readonly Limits[],
) => {
  const responses = new Map<number, Answer>();
  let busy = 0;
  for (const limits of [...seconds, plenty]) {
    table.limit(limits);
    let waitSeconds = 1;
    const left = [...requests.entries()].filter(([at]) => !responses.has(at));
    await Promise.all(
      left.map(async ([at, send]) => {
        const response = await send();
        if (response.status !== 503) {
          responses.set(at, response);
          return;
        }
        busy++;
        const wanted = Number(response.headers['retry-after']);
        expect(wanted).toBeGreaterThanOrEqual(1);
        waitSeconds = Math.max(waitSeconds, wanted);
      }),
    );
    pass(waitSeconds * secondMs);
  }
  table.limit(undefined);
  expect(responses.size, 'all are answered in the end').toBe(requests.length);
  return { answers: [...responses.values()], busy };
};

const statusesOf = (responses: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const newShare = async (body: object): Promise<string> => {
  const { token } = await newPerson();
  const response = await call('POST /api/share', { token, body: { content: '# Hi', ...body } });
  expect(response.status).toBe(201);
  pass(secondMs);
  return response.body.id;
};

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const few = (write: number): Limits => ({ ...plenty, write });

describe('a share requested beyond the capacity of its partition', () => {
  it('serves exactly 20 of 80 concurrent readers at a view limit of 20', async () => {
    const id = await newShare({ viewLimit: 20 });
    const before = table.refused.write;
    const views = times(80, () => () => view(id));
    const { answers: responses, busy } = await untilAnswered(views, [few(12)]);
    expect(busy).toBeGreaterThan(48);
    expect(table.refused.write).toBeGreaterThan(before + busy);
    expect(statusesOf(responses)).toEqual({ 200: 20, 410: 60 });
    expect((await gateOf(id))?.views).toBe(20);
  });

  it('counts no view when its content could not be read', async () => {
    const id = await newShare({ viewLimit: 20 });
    const before = table.refused.read;
    const views = times(80, () => () => view(id));
    const { answers: responses, busy } = await untilAnswered(views, [{ write: 12, read: 16 }]);
    expect(busy).toBeGreaterThan(0);
    expect(table.refused.read).toBeGreaterThan(before + busy);
    expect(statusesOf(responses)).toEqual({ 200: 20, 410: 60 });
    expect((await gateOf(id))?.views).toBe(20);
  });

  it('counts exactly the views served by the API without a limit', async () => {
    const id = await newShare({});
    const views = times(60, () => () => view(id));
    const { answers: responses, busy } = await untilAnswered(views, [few(18)]);
    expect(busy).toBeGreaterThan(0);
    expect(statusesOf(responses)).toEqual({ 200: 60 });
    expect((await gateOf(id))?.views).toBe(60);
  });

  it('shows its page without a limit and counts views within the capacity', async () => {
    await runJobs();
    const id = await newShare({});
    const pages = times(60, () => () => page(id));
    const { answers: responses, busy } = await untilAnswered(pages, [{ ...plenty, read: 40 }]);
    expect(busy).toBeGreaterThan(0);
    expect(statusesOf(responses)).toEqual({ 200: 60 });
    const before = table.refused.write;
    for (const writes of [0, 3, 3, 1_000, 1_000]) {
      table.limit(few(writes));
      await runJobs();
      pass((visibilitySeconds + 1) * secondMs);
    }
    table.limit(undefined);
    expect(table.refused.write).toBeGreaterThan(before);
    expect((await gateOf(id))?.views).toBe(60);
    expect([...(await queuedJobs()), ...(await deadJobs())]).toEqual([]);
  });
});

describe('a password guessed beyond the capacity of its rate limit', () => {
  it('does not reveal a correct guess after 5 attempts', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const id = await newShare({ password: 'Abc123' });
    const query = { id, password: 'wrong1' };
    const guesses = times(60, () => () => call('GET /api/share', { query }));
    const { answers: responses, busy } = await untilAnswered(guesses, [few(3), few(3)]);
    vi.unstubAllEnvs();
    expect(busy).toBeGreaterThan(50);
    const { 401: told, 429: refused } = statusesOf(responses);
    expect(told).toBeLessThanOrEqual(5);
    expect((told ?? 0) + (refused ?? 0)).toBe(60);
  });
});

describe('a user with requests beyond the capacity of a partition', () => {
  it('checks in once', async () => {
    const { token } = await newPerson();
    pass(secondMs);
    const checkins = times(30, () => () => call('POST /api/checkin', { token }));
    const { answers: responses, busy } = await untilAnswered(checkins, [few(0), few(3)]);
    expect(busy).toBeGreaterThanOrEqual(30);
    expect(statusesOf(responses)).toEqual({ 200: 1, 409: 29 });
    const { points } = responses.find(({ status }) => status === 200)?.body ?? {};
    const { body } = await call('GET /api/checkin', { token });
    expect(body).toMatchObject({ totalPoints: points, streak: 1 });
  });

  it('receives each of many messages once, with one notification each', async () => {
    const reader = await newReader();
    const writers = [await newWriter(), await newWriter(), await newWriter()];
    pass(secondMs);
    const sending = writers.flatMap((writer) =>
      times(10, () => {
        const headers = { 'idempotency-key': randomUUID() };
        return () => send(writer, { to: reader.id }, headers);
      }),
    );
    const { answers: responses, busy } = await untilAnswered(sending, [few(30), few(60)]);
    expect(busy).toBeGreaterThan(0);
    expect(statusesOf(responses)).toEqual({ 201: 30 });

    const ask = (endpoint: string) => () => call(endpoint, { token: reader.token });
    const looks = ['messages/unread-count', 'notifications/unread-count', 'messages'];
    const seen = await untilAnswered(
      looks.map((path) => ask(`GET /api/${path}`)),
      [few(100), plenty, plenty],
    );
    expect(seen.busy).toBeGreaterThan(0);
    for (let attempts = 0; attempts < 2; attempts++) {
      pass((visibilitySeconds + 61) * secondMs);
      await runMinute();
      await runJobs();
    }
    expect(await deadJobs()).toEqual([]);
    const shown = await Promise.all(looks.map((path) => ask(`GET /api/${path}`)()));
    const [unread, notices, inbox] = shown.map(({ body }) => body.data);
    expect(unread.count).toBe(30);
    expect(notices.count).toBe(30);
    expect(inbox.total).toBe(30);
  });
});
