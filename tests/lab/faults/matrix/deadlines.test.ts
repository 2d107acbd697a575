import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { answerMs } from '../../../../shared/runtime/time-left.ts';
import type { Fault } from '../../../support/faults/fault.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { type Answer, limitTime, timeoutOf } from '../../../support/service/call.ts';
import { useFaultyEngines } from '../../support/faults/engines.ts';
import { endpointOf } from '../../support/faults/matrix.ts';
import { flawOf } from '../../support/faults/run-faults.ts';
import { selectedCalls } from '../../support/faults/sample-requests.ts';

vi.mock(
  '../../../../shared/runtime/backoff.ts',
  () => import('../../../support/faults/no-pauses.ts'),
);

useVirtualTime('2026-11-10T12:00:00Z');
limitTime();
const engines = useFaultyEngines();

const always = Number.POSITIVE_INFINITY;
/** Long enough for the requests that are sent together to arrive. Real time, in ms. */
const gatherMs = 5;

/** When the last request was sent to a slow service. */
let lastSentAt = 0;

/** A service that answers each request just before its timeout, and requests that are sent together at once. */
const slow = (service: Fault['service'], ms: number): Fault => ({
  kind: 'late',
  service,
  times: always,
  act: async () => {
    const sentAt = Date.now();
    lastSentAt = Math.max(lastSentAt, sentAt);
    await wait(gatherMs);
    pass(Math.max(0, sentAt + ms - Date.now()));
  },
});

const brownouts: Readonly<Record<string, readonly Fault[]>> = {
  'the table hangs': [{ kind: 'hang', service: 'dynamodb', times: always }],
  'the bucket hangs': [{ kind: 'hang', service: 's3', times: always }],
  'table and bucket are slow': [slow('dynamodb', 1_900), slow('s3', 4_900)],
};

const prepared = async (prepare: () => Promise<() => Promise<Answer>>) => {
  await engines.empty();
  pass(60 * 60_000);
  return prepare();
};

describe('while', async () => {
  const calls = await selectedCalls();
  it.each(
    Object.entries(brownouts).flatMap(([name, faults]) =>
      calls.map(([call, prepare]) => ({ name, faults, call, prepare })),
    ),
  )('$name, $call is answered before its function must end', async ({ faults, call, prepare }) => {
    const usual = await (await prepared(prepare))();
    const send = await prepared(prepare);
    const before = Date.now();
    lastSentAt = before;
    const { result, waitedMs } = await engines.suffer(faults, send);
    const leftMs = timeoutOf(endpointOf(call)) - answerMs;
    // A request to AWS that is sent in time has no more time than is left.
    expect(lastSentAt - before).toBeLessThan(leftMs);
    expect(waitedMs).toBeLessThanOrEqual(leftMs);
    expect(flawOf(result, usual, false)).toBeUndefined();
  });
});
