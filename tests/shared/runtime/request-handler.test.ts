// What a client of AWS does when many requests wait at once; faults of single requests are in tests/lab/faults.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTurns } from '../../../shared/runtime/turns.ts';
import { type FaultProxy, startProxy } from '../../support/faults/proxy.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { sendRequests } from '../../support/service/direct-calls.ts';
import { view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
useBucket();

/** How far the clock moves (ms) with each turn of this process's loop: no faster than it can keep up. */
const msPerTurn = 5;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** How many calls the engine of the table has not yet responded to. */
let inEngine = 0;

/** Does work by a clock that stands still while this process or the engine is busy. */
const byVirtualClock = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isExpired = false;
  const done = work().finally(() => {
    isExpired = true;
  });
  try {
    while (!isExpired) {
      if (inEngine === 0) vi.advanceTimersByTime(msPerTurn);
      await turn();
    }
    return await done;
  } finally {
    vi.useRealTimers();
  }
};

let proxy: FaultProxy;
/** How long the table takes for each call (ms). */
let callMs = 0;
let atOnce = 0;
let mostAtOnce = 0;

beforeAll(async () => {
  const takeTime = async () => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await new Promise<void>((resolve) => void setTimeout(resolve, callMs));
    atOnce--;
    inEngine++;
  };
  proxy = await startProxy('dynamodb', process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', {
    meet: () => ({ kind: 'late', service: 'dynamodb', act: takeTime }),
    hangs: () => undefined,
    responded: () => void inEngine--,
  });
  sendRequests();
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
});
afterAll(() => proxy.close());

const count = 120;
const newShare = async (): Promise<string> => {
  const { token } = await newPerson();
  return (await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } })).body.id;
};

describe('120 concurrent calls to a table that takes a second for each', () => {
  it('are all answered, because a wait for a connection is no time-out', async () => {
    callMs = 0;
    const id = await newShare();
    callMs = 1_000;
    mostAtOnce = 0;
    const responses = await byVirtualClock(() =>
      Promise.all(Array.from({ length: count }, () => view(id))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(count);
    expect(mostAtOnce).toBeLessThanOrEqual(50);
  });

  it('time out if the table exceeds the timeout', async () => {
    callMs = 0;
    const id = await newShare();
    callMs = 3_000;
    const { status, body } = await byVirtualClock(() => view(id));
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});

describe('turns', () => {
  it('are taken first come, first served, skipping aborted callers', async () => {
    const turns = createTurns(1);
    const taken: string[] = [];
    const gaveUp = new AbortController();
    const never = new AbortController().signal;
    const take = (name: string, signal = never) =>
      turns.take(signal).then(
        () => taken.push(name),
        () => taken.push(`not ${name}`),
      );
    const all = ['first', 'second', 'third'].map((name) =>
      take(name, name === 'second' ? gaveUp.signal : never),
    );
    await turn();
    gaveUp.abort();
    await turn();
    expect(taken).toEqual(['first', 'not second']);
    turns.giveBack();
    await Promise.all(all);
    turns.giveBack();
    await take('fourth');
    expect(taken).toEqual(['first', 'not second', 'third', 'fourth']);
  });
});
