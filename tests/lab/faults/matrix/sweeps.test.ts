import { describe, expect, it, vi } from 'vitest';
import { scheduledWork } from '../../../../functions/jobs/sweeps/scheduled.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useFaultyEngines } from '../../support/faults/engines.ts';
import { sufferSweep } from '../../support/faults/sweep-scenarios.ts';

vi.mock(
  '../../../../shared/runtime/backoff.ts',
  () => import('../../../support/faults/no-pauses.ts'),
);

useVirtualTime('2026-11-10T12:00:00Z');
const engines = useFaultyEngines();

/** Selects sweeps by a regular expression. */
const only = new RegExp(process.env['FAULTS_ONLY'] ?? '');
const tried = scheduledWork.map(({ name }) => name).filter((name) => only.test(name));

describe('a sweep with a fault leaves its remaining work to the next sweep, which does it once', () => {
  it.each(tried)(
    '%s',
    async (name) => {
      expect(await sufferSweep(engines, name)).toEqual([]);
    },
    10 * 60_000,
  );
});
