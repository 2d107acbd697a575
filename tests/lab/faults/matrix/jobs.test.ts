import { describe, expect, it, vi } from 'vitest';
import { workers } from '../../../../functions/jobs/registry.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useFaultyEngines } from '../../support/faults/engines.ts';
import { sufferJob } from '../../support/faults/job-scenarios.ts';

vi.mock(
  '../../../../shared/runtime/backoff.ts',
  () => import('../../../support/faults/no-pauses.ts'),
);

useVirtualTime('2026-11-10T12:00:00Z');
const engines = useFaultyEngines({ mail: true });

/** Selects job types by a regular expression. */
const only = new RegExp(process.env['FAULTS_ONLY'] ?? '');
const tried = workers.map(({ type }) => type.name).filter((name) => only.test(name));

describe('a job with a fault completes, or is reported as failed and completes when redelivered', () => {
  it.each(tried)(
    '%s',
    async (kind) => {
      const report = await sufferJob(engines, kind);
      expect(report.problems).toEqual([]);
      expect(report.failed).toBeGreaterThan(0);
    },
    10 * 60_000,
  );
});
