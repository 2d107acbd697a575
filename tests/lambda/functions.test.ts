import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../../shared/fallback.ts';
import type { Route } from '../../shared/route.ts';
import { useJobs } from '../support/jobs.ts';
import { useBucket } from '../support/local-s3.ts';
import { useMail } from '../support/mail.ts';
import { useTable } from '../support/table.ts';
import { pass, useVirtualTime } from '../support/virtual-time.ts';
import { deploy, deployment } from './deployment.ts';
import { allTypicalCalls, routeOf, uncalled } from './typical-calls.ts';

vi.mock('../support/call.ts', () => import('./call.ts'));
// The gateway gets the functions in place of handlers; whoever calls one has deployed them by then.
vi.mock('../../shared/api.ts', async (original) => ({
  ...(await original<object>()),
  createHandler: (routes: readonly Route[]) => async (event: unknown) =>
    (await import('./deployment.ts')).invokeGroup(routes, event),
}));
vi.mock('../../shared/fallback.ts', async (original) => ({
  ...(await original<object>()),
  createFallback: (endpoints: readonly Endpoint[]) => async (event: unknown) =>
    (await import('./deployment.ts')).invokeFallback(endpoints, event),
}));
vi.mock('../../functions/jobs/index.ts', async () => {
  const lambda = await import('./deployment.ts');
  return { handler: (event: unknown) => lambda.deployment().invoke('jobs', event) };
});

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();
useMail();

const endpoint = (service: string) => process.env[`AWS_ENDPOINT_URL_${service}`] ?? '';

beforeAll(async () => {
  await deploy({
    dynamodb: endpoint('DYNAMODB'),
    s3: endpoint('S3'),
    sqs: endpoint('SQS'),
    ses: endpoint('SESV2'),
  });
}, 300_000);
afterAll(() => deployment().close());

const calls = await allTypicalCalls();
const hourMs = 60 * 60_000;

describe('the functions of the bundles', () => {
  it('are called by every route', () => expect(uncalled(calls)).toEqual([]));

  it.each(Object.entries(calls))('answer %s', async (name, prepare) => {
    pass(hourMs);
    const { status, body } = await (await prepare())();
    expect(status, JSON.stringify(body)).toBe(routeOf(name)?.status);
  });
});
