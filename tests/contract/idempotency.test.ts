// Whether each route that takes an Idempotency-Key runs once, and can repeat its response from the record alone.
// `tests/shared/http/idempotency` proves keys, races and interruptions on one route, `tests/lab/faults/matrix` faults on each.
import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { documentClient, tableName } from '../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { allTypicalCalls } from '../support/service/all-sample-requests.ts';
import type { Answer, CallOptions } from '../support/service/call.ts';
import { useJobs } from '../support/service/jobs.ts';
import { difference, readState, tallyOf } from '../support/service/state.ts';
import { useTable } from '../support/table/table.ts';

/** The Idempotency-Key of every request, if any. */
const keys = vi.hoisted(() => ({ now: undefined as string | undefined }));

vi.mock('../support/service/call.ts', async (original) => {
  const real = await original<typeof import('../support/service/call.ts')>();
  const call: typeof real.call = (endpoint, options: CallOptions = {}) => {
    if (keys.now === undefined) return real.call(endpoint, options);
    const headers = { ...options.headers, 'idempotency-key': keys.now };
    return real.call(endpoint, { ...options, headers });
  };
  return { ...real, call };
});

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const hourMs = 60 * 60_000;
const routes = listRoutes('service');
const routeOf = (call: string) =>
  routes.find(({ method, path }) => `${method} ${path}` === call.replace(/ \(.*\)$/, ''));
const calls = Object.entries(await allTypicalCalls()).filter(
  ([call]) => routeOf(call)?.idempotency,
);

const claims = async () =>
  (await readState()).items.filter(({ pk }) => pk.startsWith('IDEMPOTENCY#'));

/** Forgets the response that a request has stored since, as if its function had ended before. */
const forgetResponse = async (before: Awaited<ReturnType<typeof claims>>): Promise<void> => {
  const known = new Set(before.map(({ pk, sk }) => `${pk} ${sk}`));
  const [claim, ...others] = (await claims()).filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
  expect(others).toEqual([]);
  const { result, ...Item } = claim ?? expect.unreachable();
  expect(result).toEqual(expect.any(String));
  await documentClient().send(new PutCommand({ TableName: tableName(), Item }));
};

/** The body without the fields that are shown once. */
const repeatable = (call: string, { body }: Answer): unknown => {
  const once = routeOf(call)?.idempotency?.withoutFields ?? [];
  return Object.fromEntries(Object.entries(body).filter(([name]) => !once.includes(name)));
};

describe('a request with an Idempotency-Key', () => {
  it.each(calls)('runs once, and is answered as the first time: %s', async (call, prepare) => {
    keys.now = undefined;
    pass(hourMs);
    const send = await prepare();
    keys.now = randomUUID();
    const before = await claims();
    const first = await send();
    expect(first.status).toBe(routeOf(call)?.status);
    const done = tallyOf(await readState());
    const again = { status: first.status, body: repeatable(call, first) };
    const replayed = { headers: { 'idempotency-replayed': 'true' } };
    const second = await send();
    expect({ status: second.status, body: second.body }).toEqual(again);
    expect(second).toMatchObject(replayed);
    await forgetResponse(before);
    const recalled = await send();
    expect({ status: recalled.status, body: recalled.body }).toEqual(again);
    expect(recalled).toMatchObject(replayed);
    expect(difference(done, tallyOf(await readState()))).toEqual({});
  });
});
