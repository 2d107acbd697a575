import { describe, expect, it } from 'vitest';
import { ownedRecords } from '../../functions/api/owned-records.ts';
import { workers } from '../../functions/jobs/registry.ts';
import { scheduledWork } from '../../functions/jobs/scheduled.ts';
import { dueJobs } from '../support/faults/due-jobs.ts';
import { dueSweeps } from '../support/faults/due-sweeps.ts';

const sorted = (names: readonly string[]): string[] => names.toSorted();

describe('the work that groups declare', () => {
  it('has one worker for each type of job, and the suite of faults tries each', () => {
    const names = workers.map(({ type }) => type.name);
    expect(new Set(names).size).toBe(names.length);
    expect(sorted(names)).toEqual(sorted(Object.keys(dueJobs)));
  });

  it('has one name for each scheduled work, and the suite of faults tries each', () => {
    const names = scheduledWork.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(sorted(names)).toEqual(sorted(Object.keys(dueSweeps)));
  });

  it('has one group that suspends what a user owns, because a job keeps a single place', () => {
    expect(ownedRecords.filter(({ setSuspended }) => setSuspended)).toHaveLength(1);
  });
});
