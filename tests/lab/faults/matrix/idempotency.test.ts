import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import type { CallOptions } from '../../../support/service/call.ts';
import {
  difference,
  keepState,
  readState,
  type Tally,
  tallyOf,
} from '../../../support/service/state.ts';
import { useFaultyEngines } from '../../support/faults/engines.ts';
import { cellsOf, outagesOf, routeOf } from '../../support/faults/matrix.ts';
import { selectedCalls } from '../../support/faults/sample-requests.ts';

vi.mock(
  '../../../../shared/runtime/backoff.ts',
  () => import('../../../support/faults/no-pauses.ts'),
);

/** The optional Idempotency-Key of every POST. */
const keys = vi.hoisted(() => ({ now: undefined as string | undefined }));

vi.mock('../../../support/service/call.ts', async (original) => {
  const real = await original<typeof import('../../../support/service/call.ts')>();
  const call: typeof real.call = (endpoint, options: CallOptions = {}) => {
    if (keys.now === undefined || !endpoint.startsWith('POST '))
      return real.call(endpoint, options);
    const headers = { ...options.headers, 'idempotency-key': keys.now };
    return real.call(endpoint, { ...options, headers });
  };
  return { ...real, call };
});

useVirtualTime('2026-11-10T12:00:00Z');
const engines = useFaultyEngines();

const calls = (await selectedCalls()).filter(([call]) => routeOf(call).idempotency !== undefined);

/** Longer than the timeout of a function, so no interrupted request still runs. */
const runMs = 60_000;
/** Ignores jobs, which may be sent early or twice. */
const withoutJobs = (tally: Tally): Tally =>
  Object.fromEntries(Object.entries(tally).filter(([name]) => !name.startsWith('job ')));

describe('a request with an Idempotency-Key that is retried after a fault', () => {
  it.each(calls)(
    'runs %s once',
    async (call, prepare) => {
      keys.now = undefined;
      await engines.empty();
      pass(60 * 60_000);
      const prepared = await prepare();
      const { state, restore } = await keepState();
      const changes = async () =>
        withoutJobs(difference(tallyOf(state), tallyOf(await readState())));
      const send = (faults: Parameters<typeof engines.suffer>[0] = []) =>
        engines.suffer(faults, prepared);

      keys.now = randomUUID();
      const usual = await send();
      const done = await changes();
      const success = usual.result.status;
      expect(success).toBe(routeOf(call).status);
      const { items } = await readState();
      expect(items.some(({ pk }) => pk.startsWith('IDEMPOTENCY#'))).toBe(true);
      await restore();

      const problems: string[] = [];
      for (const { name, fault } of [...cellsOf(usual.asked), ...outagesOf(usual.asked)]) {
        keys.now = randomUUID();
        const { result: first, waitedMs } = await send([fault]);
        if (first.status !== success && first.status !== 503) {
          problems.push(`${name}: answers ${first.status}`);
        }
        if (waitedMs > 10_100) problems.push(`${name}: lets wait ${waitedMs} ms`);
        pass(runMs);
        const again = (await send()).result;
        if (again.status !== success) {
          problems.push(`${name}: is answered ${again.status} after ${first.status}`);
        }
        const changed = await changes();
        if (Object.keys(difference(done, changed)).length > 0) {
          problems.push(`${name}: leaves ${JSON.stringify(changed)}`);
        }
        problems.push(...violationsOf(await readState()).map((one) => `${name}: ${one}`));
        await restore();
      }
      expect(problems).toEqual([]);
    },
    5 * 60_000,
  );
});
